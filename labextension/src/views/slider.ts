/** What the handle on the chart and the knobs of the bars have in common: each moves the batch size. */

import { useEffect, useRef } from 'preact/hooks';
import type { SnapRange } from '../report/snap';
import { dragAlong, type Axis } from './drag';
import { sizeForKey } from './keys';

/** The batch size in the hand of the user: the same for every slider of a dashboard. */
export interface SizeControl {
  range: SnapRange;
  size: number;
  /** There is more than one size to choose: sliders are drawn. */
  offered: boolean;
  /** Where the sliders rest. */
  rest: number;
  enabled: boolean;
  /** A pointer holds one of them. */
  dragging: boolean;
  onPreview: (size: number, dragging: boolean) => void;
  onCancel: () => void;
  onApply: (size: number) => void;
  onDigit: (digit: string) => void;
}

export interface Slider {
  control: SizeControl;
  axis: Axis;
  /** Where the slider stands on its axis, in pixels. */
  position: () => number;
  /** The size that a place on the axis stands for; `free`: not only those worth taking. */
  sizeAt: (place: number, free: boolean) => number;
}

/** Listens on the element that the reference is given to, for as long as it can be moved. */
export function useSlider(slider: Slider): { current: HTMLDivElement | null } {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(slider);
  latest.current = slider;
  const { axis } = slider;
  const { enabled } = slider.control;
  useEffect(() => {
    if (!enabled || element.current === null) {
      return;
    }
    const listening = new AbortController();
    listenToPointer(element.current, axis, latest, listening.signal);
    listenToKeys(element.current, latest, listening.signal);
    return () => listening.abort();
  }, [enabled, axis]);
  return element;
}

function listenToPointer(
  element: HTMLElement,
  axis: Axis,
  latest: { current: Slider },
  signal: AbortSignal,
): void {
  dragAlong(axis, element, signal, {
    position: () => latest.current.position(),
    move(place, free) {
      const { control, sizeAt } = latest.current;
      const size = sizeAt(place, free);
      if (size !== control.size) {
        control.onPreview(size, true);
      }
    },
    release(place, free) {
      const { control, sizeAt } = latest.current;
      control.onApply(sizeAt(place, free));
    },
    cancel: () => latest.current.control.onCancel(),
  });
}

/**
 * While a slider has the focus its keys are taken on `window`, before JupyterLab's shortcuts on
 * `document` can move the notebook's selection with them. All other keys stay theirs.
 */
function listenToKeys(
  element: HTMLElement,
  latest: { current: Slider },
  signal: AbortSignal,
): void {
  const onKey = (event: KeyboardEvent): void => {
    const { range, size, rest, dragging, ...control } = latest.current.control;
    // A drag has its own Escape.
    if (event.target !== element || event.ctrlKey || event.metaKey || dragging) {
      return;
    }
    const moved = sizeForKey(event, size, range);
    if (moved !== null) {
      control.onPreview(moved, false);
    } else if (event.key === 'Enter') {
      control.onApply(size);
    } else if (event.key === 'Escape' && size !== rest) {
      control.onCancel();
    } else if (/^[0-9]$/.test(event.key)) {
      control.onDigit(event.key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKey, { capture: true, signal });
}
