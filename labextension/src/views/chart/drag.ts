/** One pointer drags an element sideways, from press to release; Escape gives up. */

export interface Drag {
  /** `x` is where the element's origin would stand, in its own pixels; `free`: Alt is held. */
  move(x: number, free: boolean): void;
  /** Let go after a move. */
  release(x: number, free: boolean): void;
  cancel(): void;
}

/** Nearer than this to where it was pressed, a pointer has not moved yet. */
const SLACK = 3;

/** Listen on `element` until `signal` aborts. `position` tells where the element stands now. */
export function dragHorizontally(
  element: HTMLElement,
  position: () => number,
  signal: AbortSignal,
  drag: Drag,
): void {
  element.addEventListener(
    'pointerdown',
    event => {
      if (event.button === 0 && event.isPrimary) {
        event.preventDefault();
        // A notebook selects the cell and takes the focus on a press; here the press is the handle's.
        event.stopPropagation();
        element.focus({ preventScroll: true });
        follow(element, event, position(), signal, drag);
      }
    },
    { signal },
  );
}

function follow(
  element: HTMLElement,
  pressed: PointerEvent,
  origin: number,
  signal: AbortSignal,
  drag: Drag,
): void {
  const session = new AbortController();
  const listening = AbortSignal.any([signal, session.signal]);
  const at = (event: PointerEvent): number => origin + event.clientX - pressed.clientX;
  let moved = false;
  const end = (): boolean => {
    session.abort();
    return moved;
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId === pressed.pointerId) {
      moved ||= Math.abs(event.clientX - pressed.clientX) >= SLACK;
      if (moved) drag.move(at(event), event.altKey);
    }
  };
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId === pressed.pointerId && end()) drag.release(at(event), event.altKey);
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
