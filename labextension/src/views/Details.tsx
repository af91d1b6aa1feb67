/** The evidence in figures, folded away: also the chart's content for those who cannot see it. */

import type { JSX } from 'preact';
import {
  formatBytes,
  formatCount,
  formatMilliseconds,
  formatPercent,
  formatThroughput,
} from '../report/format';
import { peakAt } from '../report/values';
import type { Finding, Report, Sample } from '../report/wire.generated';
import { Sentence } from './Sentence';
import { trans } from './translate';
import { lessWords, spreadOf } from './words';

export function Details({ report }: { report: Report }): JSX.Element {
  return (
    <details class="skyline-inside skyline-details">
      <summary data-lm-suppress-shortcuts="true">{trans.__('Evidence')}</summary>
      {report.findings.slice(0, 1).map(finding => (
        <FindingText key={finding.kind + finding.statement} finding={finding} />
      ))}
      {report.samples.length > 0 && <SampleTable report={report} />}
      <p>{limitWords(report)}</p>
    </details>
  );
}

function FindingText({ finding }: { finding: Finding }): JSX.Element {
  const sentences = [finding.evidence, finding.next_step].filter(text => text !== '').join(' ');
  return (
    <p>
      <b>
        <Sentence text={finding.statement} />
      </b>{' '}
      <Sentence text={sentences} /> <span class="skyline-quiet">({finding.confidence})</span>
    </p>
  );
}

function SampleTable({ report }: { report: Report }): JSX.Element {
  return (
    <div class="skyline-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{trans.__('batch size')}</th>
            <th scope="col">{trans.__('step')}</th>
            <th scope="col">{trans.__('spread')}</th>
            <th scope="col">{trans.__('throughput')}</th>
            <th scope="col">{trans.__('peak memory')}</th>
            <th scope="col">{trans.__('repeats')}</th>
          </tr>
        </thead>
        <tbody>
          {report.samples.map((sample, index) => (
            <SampleRow key={index} report={report} sample={sample} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Only some sizes are followed; they tell the peak at the others. */
function peakWords(report: Report, sample: Sample): string {
  const peak = peakAt(report, sample.batch_size);
  if (peak === null) {
    return trans.__('unknown');
  }
  return sample.peak_bytes === null
    ? trans.__('%1, predicted', formatBytes(peak))
    : formatBytes(peak);
}

function SampleRow({ report, sample }: { report: Report; sample: Sample }): JSX.Element {
  const spread = spreadOf(sample);
  return (
    <>
      <tr>
        <th scope="row">{formatCount(sample.batch_size)}</th>
        <td>{formatMilliseconds(sample.step_seconds)}</td>
        <td>{spread === null ? '' : formatPercent(spread)}</td>
        <td>{formatThroughput(sample.batch_size / sample.step_seconds)}</td>
        <td>{peakWords(report, sample)}</td>
        <td>{formatCount(sample.repeats)}</td>
      </tr>
      {sample.warnings.map(warning => (
        <tr key={warning} class="skyline-sample-warning">
          <td colSpan={6}>
            <Sentence text={warning} />
          </td>
        </tr>
      ))}
    </>
  );
}

function limitWords({ device, limit }: Report): string {
  const usable = formatBytes(limit.limit_bytes);
  return limit.budget
    ? trans.__('A step may use %1: your budget.', usable)
    : trans.__(
        'A step may use %1: %2 less %3.',
        usable,
        formatBytes(device.capacity_bytes),
        lessWords(limit),
      );
}
