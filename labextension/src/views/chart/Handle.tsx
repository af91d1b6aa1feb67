/** The handle at a batch size: a slider that previews while it moves and applies when it is let go. */

import type { JSX } from 'preact';
import { clampSize, snapSize } from '../../report/snap';
import { useSlider, type SizeControl } from '../slider';
import { trans } from '../translate';
import type { ChartLayout } from './layout';

export interface HandleProps {
  layout: ChartLayout;
  control: SizeControl;
  /** The value in words, for screen readers. */
  valueText: string;
  /** Heights of the two curves at the size, in pixels. */
  marks: { tone: string; y: number }[];
}

export function Handle({ layout, control, valueText, marks }: HandleProps): JSX.Element {
  const { range, size, enabled } = control;
  const { top, bottom } = layout.frame;
  const element = useSlider({
    control,
    axis: 'sideways',
    position: () => layout.x(size),
    sizeAt(place, free) {
      const raw = layout.x.invert(place);
      return free ? clampSize(range, raw) : snapSize(range, raw);
    },
  });
  return (
    <div
      ref={element}
      class="skyline-handle"
      role="slider"
      tabIndex={enabled ? 0 : -1}
      aria-label={trans.__('Batch size')}
      aria-orientation="horizontal"
      aria-valuemin={range.smallest}
      aria-valuemax={range.largest}
      aria-valuenow={size}
      aria-valuetext={valueText}
      aria-disabled={!enabled}
      style={{ transform: `translateX(${layout.x(size)}px)`, top, height: bottom - top }}
    >
      <span class="skyline-handle-line" />
      {marks.map(mark => (
        <span
          key={mark.tone}
          class={`skyline-handle-mark skyline-tone-${mark.tone}`}
          style={{ transform: `translateY(${mark.y - top}px)` }}
        />
      ))}
      <span class="skyline-handle-pill">{size}</span>
    </div>
  );
}
