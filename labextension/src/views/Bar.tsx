/** A bar that shows a value and sets the batch size: its knob is dragged to the value that is wanted. */

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { sizeForValue } from '../report/inverse';
import type { Axis } from './drag';
import { useSlider, type SizeControl } from './slider';
import { trans } from './translate';

export interface BarProps {
  name: string;
  axis: Axis;
  control: SizeControl;
  /** The value at the bar's end, and what it is called there. */
  full: number;
  fullName: string;
  valueAt: (size: number) => number | null;
  /** The value in words, for screen readers. */
  valueText: string;
  /** The value that the notebook has now. */
  now: number;
  /** What the value is made of, from the bar's beginning; without parts it is one piece. */
  parts: readonly BarPart[];
}

export interface BarPart {
  name: string;
  value: number;
  text: string;
}

export function Bar(props: BarProps): JSX.Element {
  const { name, axis, control, full, fullName, valueAt, valueText, now, parts } = props;
  const { range, size, enabled } = control;
  const track = useRef<HTMLDivElement>(null);
  const share = (value: number): number => Math.min(Math.max(value / full, 0), 1);
  const value = valueAt(size) ?? 0;
  const length = (): number =>
    (axis === 'upright' ? track.current?.clientHeight : track.current?.clientWidth) ?? 0;
  const knob = useSlider({
    control,
    axis,
    position: () => share(value) * length(),
    sizeAt: (place, free) =>
      sizeForValue(range, valueAt, (place / Math.max(length(), 1)) * full, free),
  });
  const at = axis === 'upright' ? 'bottom' : 'left';
  return (
    <div ref={track} class={`skyline-bar skyline-bar-${axis}`}>
      <Fill {...{ axis, value, parts }} share={share(value)} />
      <u class="skyline-bar-now" style={{ [at]: percent(share(now)) }}>
        {size === control.rest ? null : <span>{trans.__('now')}</span>}
      </u>
      <span class="skyline-bar-full">{fullName}</span>
      {control.offered && (
        <div
          ref={knob}
          class="skyline-knob"
          role="slider"
          tabIndex={enabled ? 0 : -1}
          aria-label={name}
          aria-orientation={axis === 'upright' ? 'vertical' : 'horizontal'}
          aria-valuemin={range.smallest}
          aria-valuemax={range.largest}
          aria-valuenow={size}
          aria-valuetext={valueText}
          aria-disabled={!enabled}
          style={{ [at]: percent(share(value)) }}
        />
      )}
    </div>
  );
}

interface FillProps {
  axis: Axis;
  value: number;
  share: number;
  parts: readonly BarPart[];
}

function Fill({ axis, value, share, parts }: FillProps): JSX.Element {
  const extent = axis === 'upright' ? 'height' : 'width';
  return (
    <div class="skyline-bar-fill" style={{ [extent]: percent(share) }}>
      {parts.map((part, index) => (
        <i
          key={part.name}
          class={`skyline-part-${index}`}
          title={`${part.name} ${part.text}`}
          style={{ [extent]: percent(value > 0 ? part.value / value : 0) }}
        />
      ))}
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}
