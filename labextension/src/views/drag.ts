/** One pointer drags an element along an axis, from press to release; Escape gives up. */

/** Sideways to the right, or upright upwards. */
export type Axis = 'sideways' | 'upright';

export interface Drag {
  /** Where the element stands on the axis now, in pixels. */
  position(): number;
  /** `place` is where the element would stand; `free`: Alt is held. */
  move(place: number, free: boolean): void;
  /** Let go after a move. */
  release(place: number, free: boolean): void;
  cancel(): void;
}

/** Nearer than this to where it was pressed, a pointer has not moved yet. */
const SLACK = 3;

/** Listen on `element` until `signal` aborts. */
export function dragAlong(axis: Axis, element: HTMLElement, signal: AbortSignal, drag: Drag): void {
  element.addEventListener(
    'pointerdown',
    event => {
      if (event.button === 0 && event.isPrimary) {
        event.preventDefault();
        // A notebook selects the cell and takes the focus on a press; here the press is the handle's.
        event.stopPropagation();
        element.focus({ preventScroll: true });
        follow(axis, element, event, signal, drag);
      }
    },
    { signal },
  );
}

function follow(
  axis: Axis,
  element: HTMLElement,
  pressed: PointerEvent,
  signal: AbortSignal,
  drag: Drag,
): void {
  const session = new AbortController();
  const listening = AbortSignal.any([signal, session.signal]);
  const origin = drag.position();
  const along = (event: PointerEvent): number =>
    axis === 'sideways' ? event.clientX - pressed.clientX : pressed.clientY - event.clientY;
  let moved = false;
  const end = (): boolean => {
    session.abort();
    return moved;
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId === pressed.pointerId) {
      moved ||= Math.abs(along(event)) >= SLACK;
      if (moved) drag.move(origin + along(event), event.altKey);
    }
  };
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId === pressed.pointerId && end()) {
      drag.release(origin + along(event), event.altKey);
    }
  };
  const onLost = (event: PointerEvent): void => {
    if (event.pointerId === pressed.pointerId && end()) drag.cancel();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopImmediatePropagation();
      if (end()) drag.cancel();
    }
  };
  element.setPointerCapture(pressed.pointerId);
  element.addEventListener('pointermove', onMove, { signal: listening });
  element.addEventListener('pointerup', onUp, { signal: listening });
  element.addEventListener('pointercancel', onLost, { signal: listening });
  element.addEventListener('lostpointercapture', onLost, { signal: listening });
  window.addEventListener('keydown', onKey, { capture: true, signal: listening });
}
