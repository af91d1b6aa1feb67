/** The handle at a batch size: a slider that previews while it moves and applies when it is let go. */

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clampSize, snapSize, type SnapRange } from '../../report/snap';
import { dragHorizontally } from './drag';
import { sizeForKey } from './keys';
import type { ChartLayout } from './layout';

export interface HandleProps {
  layout: ChartLayout;
  range: SnapRange;
  size: number;
  /** Where the handle rests. */
  rest: number;
  enabled: boolean;
  /** A pointer holds it. */
  dragging: boolean;
  /** The value in words, for screen readers. */
  valueText: string;
  /** Heights of the two curves at `size`, in pixels. */
  marks: { tone: string; y: number }[];
  onPreview: (size: number, dragging: boolean) => void;
  onCancel: () => void;
  onApply: (size: number) => void;
}

export function Handle(props: HandleProps): JSX.Element {
  const { layout, range, size, enabled, marks } = props;
  const element = useHandle(props);
  const { top, bottom } = layout.frame;
  return (
    <div
      ref={element}
      class="skyline-handle"
      role="slider"
      tabIndex={enabled ? 0 : -1}
      aria-label="Batch size"
      aria-orientation="horizontal"
      aria-valuemin={range.smallest}
      aria-valuemax={range.largest}
      aria-valuenow={size}
      aria-valuetext={props.valueText}
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

/** Listens on the handle for as long as it can be moved. */
function useHandle(props: HandleProps): { current: HTMLDivElement | null } {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { enabled } = props;
  useEffect(() => {
    if (!enabled || element.current === null) {
      return;
    }
    const listening = new AbortController();
    listenToPointer(element.current, latest, listening.signal);
    listenToKeys(element.current, latest, listening.signal);
    return () => listening.abort();
  }, [enabled]);
  return element;
}

function listenToPointer(
  handle: HTMLElement,
  latest: { current: HandleProps },
  signal: AbortSignal,
): void {
  const sizeAt = (x: number, free: boolean): number => {
    const { layout, range } = latest.current;
    const raw = layout.x.invert(x);
    return free ? clampSize(range, raw) : snapSize(range, raw);
  };
  const position = (): number => latest.current.layout.x(latest.current.size);
  dragHorizontally(handle, position, signal, {
    move: (x, free) => {
      const size = sizeAt(x, free);
      if (size !== latest.current.size) {
        latest.current.onPreview(size, true);
      }
    },
    release: (x, free) => latest.current.onApply(sizeAt(x, free)),
    cancel: () => latest.current.onCancel(),
  });
}

/**
 * While the handle has the focus its keys are taken on `window`, before JupyterLab's shortcuts on
 * `document` can move the notebook's selection with them. All other keys stay theirs.
 */
function listenToKeys(
  handle: HTMLElement,
  latest: { current: HandleProps },
  signal: AbortSignal,
): void {
  const onKey = (event: KeyboardEvent): void => {
    const { range, size, rest, dragging, onPreview, onCancel, onApply } = latest.current;
    // A drag has its own Escape.
    if (event.target !== handle || event.ctrlKey || event.metaKey || dragging) {
      return;
    }
    const moved = sizeForKey(event, size, range);
    if (moved !== null) {
      onPreview(moved, false);
    } else if (event.key === 'Enter') {
      onApply(size);
    } else if (event.key === 'Escape' && size !== rest) {
      onCancel();
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKey, { capture: true, signal });
}
