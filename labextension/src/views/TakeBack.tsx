/** Undo and redo of our edits, beside the batch size. */

import type { JSX } from 'preact';
import type { Direction, Editing } from './host';
import { trans } from './translate';
import type { DashboardActions } from './useDashboard';

/** One step back or forward: what Ctrl+Z and Ctrl+Shift+Z in the cell do. */
export function TakeBack({
  editing,
  actions,
}: {
  editing: Editing;
  actions: DashboardActions;
}): JSX.Element {
  return (
    <span class="skyline-take-back">
      <Step {...{ actions }} direction="undo" size={editing.undo} />
      <Step {...{ actions }} direction="redo" size={editing.redo} />
    </span>
  );
}

interface StepProps {
  direction: Direction;
  /** What it brings; `null`: there is nothing to bring. */
  size: number | null;
  actions: DashboardActions;
}

function Step({ direction, size, actions }: StepProps): JSX.Element {
  const title = stepTitle(direction, size);
  return (
    <button
      type="button"
      class="skyline-button skyline-step-button"
      data-lm-suppress-shortcuts="true"
      aria-label={title}
      title={title}
      disabled={size === null}
      onClick={() => size !== null && actions.takeBack(direction, size)}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={ARROWS[direction]} />
      </svg>
    </button>
  );
}

/** A bent arrow each way. */
const ARROWS: Readonly<Record<Direction, string>> = {
  undo: 'M6 3 2.5 6.500 6 10M3 6.500H9.500a3.500 3.500 0 0 1 0 7H6',
  redo: 'M10 3 13.500 6.500 10 10M13 6.500H6.500a3.500 3.500 0 0 0 0 7H10',
};

function stepTitle(direction: Direction, size: number | null): string {
  if (direction === 'undo') {
    return size === null
      ? trans.__('No change of the batch size to undo')
      : trans.__('Undo: back to %1', size);
  }
  return size === null
    ? trans.__('No change of the batch size to redo')
    : trans.__('Redo: %1 again', size);
}
