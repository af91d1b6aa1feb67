/** The machine on which the kernel runs: its processors, and its memory as the kernel and its workers share it. */

import type { JSX } from 'preact';
import { formatBytes, formatPercent } from '../../report/format';
import { momentsOf, type Moment, type Span } from '../../report/gauges';
import type { HostReading, Reading } from '../../report/wire.generated';
import { trans } from '../translate';
import { Gauge } from './Gauge';
import { Shares, type NamedShare } from './Shares';
import { amountOf, processors } from './words';

export interface HostGaugesProps {
  host: HostReading;
  readings: readonly Reading[];
  span: Span;
}

export function HostGauges({ host, readings, span }: HostGaugesProps): JSX.Element {
  const moments = (pick: (host: HostReading) => number | null): Moment[] =>
    momentsOf(readings, span, reading => pick(reading.host));
  const used = host.total_bytes - host.available_bytes;
  return (
    <section class="skyline-gauge-device" role="group" aria-label={trans.__('Host')}>
      <h3>
        {trans._n('Host · %1 processor', 'Host · %1 processors', host.cpus)}
        {host.is_container && ` · ${trans.__('in a container')}`}
      </h3>
      <dl>
        <Processors host={host} moments={moments} span={span} />
        <Gauge
          name={trans.__('Memory')}
          {...(host.is_container ? { title: trans.__('What the container may use') } : {})}
          moments={moments(each => each.total_bytes - each.available_bytes)}
          top={host.total_bytes}
          now={amountOf(used, host.total_bytes)}
          format={formatBytes}
          span={span}
        />
      </dl>
      <Shares shares={sharesOf(host, used)} total={host.total_bytes} />
      <dl>
        <Gauge
          name={trans.__('Kernel RAM')}
          title={trans.__('Resident memory of the kernel’s process')}
          moments={moments(each => each.kernel_bytes)}
          now={formatBytes(host.kernel_bytes)}
          format={formatBytes}
          span={span}
        />
        {moments(each => each.children).some(({ value }) => value > 0) && (
          <Children host={host} moments={moments(each => each.children_bytes)} span={span} />
        )}
      </dl>
    </section>
  );
}

interface ProcessorsProps {
  host: HostReading;
  moments: (pick: (host: HostReading) => number | null) => Moment[];
  span: Span;
}

function Processors({ host, moments, span }: ProcessorsProps): JSX.Element {
  const { cpu, cpus, kernel_cpus } = host;
  return (
    <>
      <Gauge
        name={trans.__('CPU')}
        title={trans.__('Share of all processors that is busy, whoever uses them')}
        moments={moments(each => each.cpu)}
        top={1}
        now={cpu === null ? '…' : formatPercent(cpu)}
        format={formatPercent}
        span={span}
      />
      <Gauge
        name={trans.__('Kernel CPU')}
        title={trans.__('Processors that the kernel keeps busy, without its workers')}
        moments={moments(each => each.kernel_cpus)}
        top={cpus}
        now={kernel_cpus === null ? '…' : trans.__('%1 of %2', processors(kernel_cpus), cpus)}
        format={processors}
        span={span}
      />
    </>
  );
}

interface ChildrenProps {
  host: HostReading;
  moments: Moment[];
  span: Span;
}

function Children({ host, moments, span }: ChildrenProps): JSX.Element {
  return (
    <Gauge
      name={childrenName(host)}
      title={trans.__('Resident memory; what they share with the kernel is counted in each')}
      moments={moments}
      now={host.children === 0 ? trans.__('none') : formatBytes(host.children_bytes)}
      format={formatBytes}
      span={span}
    />
  );
}

function childrenName({ children, loader_workers }: HostReading): string {
  return children === loader_workers || children === 0
    ? trans._n('%1 worker', '%1 workers', loader_workers)
    : trans._n('%1 child process', '%1 child processes', children);
}

function sharesOf(host: HostReading, used: number): NamedShare[] {
  const others = Math.max(0, used - host.kernel_bytes - host.children_bytes);
  return [
    { kind: 'own', name: trans.__('this kernel'), bytes: host.kernel_bytes },
    { kind: 'child', name: childrenName(host), bytes: host.children_bytes },
    { kind: 'rest', name: trans.__('everything else'), bytes: others },
  ];
}
