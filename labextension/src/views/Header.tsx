/** The verdict, what was profiled, and that it cost little and changed nothing. */

import type { JSX } from 'preact';
import { formatCount, formatDuration } from '../report/format';
import type { Report, StateProof, View } from '../report/wire.generated';
import { Sentence } from './Sentence';
import { trans } from './translate';
import { facts, type LabelOf } from './words';

interface HeaderProps {
  view: View;
  label: LabelOf;
  /** The verdict on the size that is looked at; empty: none is. */
  preview: string;
}

export function Header({ view, label, preview }: HeaderProps): JSX.Element {
  const { report } = view;
  const [title, more] = titleOf(view);
  return (
    <div class="skyline-header">
      <h2 class="skyline-title">
        {view.status === 'failed' && report === null && (
          <span class="skyline-failed-mark" aria-hidden="true">
            ✕{' '}
          </span>
        )}
        {preview === '' ? <Sentence text={title} /> : <Instead {...{ title, preview }} />}
      </h2>
      {report && view.status === 'ready' && <Chips report={report} />}
      {more !== '' && (
        <p class="skyline-more">
          <Sentence text={more} />
        </p>
      )}
      {report && (
        <p class="skyline-facts">
          {facts(report, label).map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </p>
      )}
    </div>
  );
}

/** In the place of the title, which keeps its room: nothing below moves while the handle does. */
function Instead({ title, preview }: { title: string; preview: string }): JSX.Element {
  return (
    <span class="skyline-instead">
      <span aria-hidden="true">
        <Sentence text={title} />
      </span>
      <span>{preview}</span>
    </span>
  );
}

/** The verdict once there is one; until then the message: its first sentence, and the rest of it. */
function titleOf({ status, message, report }: View): [title: string, more: string] {
  const verdict = report?.findings[0];
  if (verdict !== undefined) {
    // A size that could not be run: what to do is no detail.
    return [verdict.statement, verdict.confidence === 'predicted' ? verdict.next_step : ''];
  }
  if (status === 'measuring') {
    return [trans.__('Measuring your training step'), ''];
  }
  if (report !== null || message === '') {
    return [
      report === null ? trans.__('Profile') : trans.__('Profile of %1', report.step.model),
      '',
    ];
  }
  const end = message.search(/[.!?] /) + 1;
  return end === 0 ? [message, ''] : [message.slice(0, end), message.slice(end + 1)];
}

function Chips({ report }: { report: Report }): JSX.Element {
  const { cost, state_proof: proof } = report;
  return (
    <div class="skyline-chips">
      {proof.identical ? <Unchanged proof={proof} /> : <Changed proof={proof} />}
      <span
        class="skyline-chip"
        title={trans.__('%1 extra training steps, all undone', formatCount(cost.steps))}
      >
        {trans.__('cost %1', formatDuration(cost.seconds))}
      </span>
    </div>
  );
}

function Unchanged({ proof }: { proof: StateProof }): JSX.Element {
  const compared = trans.__(
    '%1 tensors and %2 other objects are bit-identical to before the profile',
    formatCount(proof.tensors),
    formatCount(proof.objects),
  );
  return (
    <span class="skyline-chip" title={compared}>
      {trans.__('state unchanged')} <span aria-hidden="true">✓</span>
    </span>
  );
}

function Changed({ proof }: { proof: StateProof }): JSX.Element {
  const count = proof.differences.length;
  return (
    <details class="skyline-chip skyline-chip-changed">
      <summary data-lm-suppress-shortcuts="true">
        <span aria-hidden="true">⚠ </span>
        {trans._n('state changed: %1 difference', 'state changed: %1 differences', count)}
      </summary>
      <ul>
        {proof.differences.map(difference => (
          <li key={difference}>
            <Sentence text={difference} />
          </li>
        ))}
      </ul>
    </details>
  );
}
