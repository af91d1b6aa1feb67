import { describe, expect, it } from 'vitest';
import {
  canMove,
  initialState,
  reduce,
  sizeAtRest,
  sizeShown,
  type Action,
  type DashboardState,
} from '../../labextension/src/views/state';
import { report, view } from './profile-view';

function after(...actions: Action[]): DashboardState {
  return actions.reduce(reduce, initialState(view()));
}

const APPLIED: Action[] = [
  { kind: 'apply', id: 1, size: 128 },
  { kind: 'settle', id: 1, outcome: { kind: 'applied' } },
];

function viewWith(batchSize: number, message = ''): Action {
  return { kind: 'view', view: view({ message, report: report({ batch_size: batchSize }) }) };
}

describe('the handle', () => {
  it('rests at the size that the kernel uses', () => {
    expect(sizeShown(after())).toBe(64);
  });

  it('shows a preview, and goes back when that is cancelled', () => {
    const preview: Action = { kind: 'preview', size: 96, dragging: true };
    expect(sizeShown(after(preview))).toBe(96);
    expect(sizeShown(after(preview, { kind: 'cancel' }))).toBe(64);
  });

  it('stays where it was let go until the notebook answers', () => {
    expect(sizeShown(after({ kind: 'apply', id: 1, size: 192 }))).toBe(192);
  });

  it('goes back when the edit is refused', () => {
    const refused = { kind: 'refused', message: 'Edited since.' } as const;
    const state = after(
      { kind: 'apply', id: 1, size: 192 },
      { kind: 'settle', id: 1, outcome: refused },
    );
    expect(sizeShown(state)).toBe(64);
    expect(state.notice).toEqual({ kind: 'refused', message: 'Edited since.', line: null });
  });

  it('follows the literal in the notebook', () => {
    expect(sizeAtRest(after({ kind: 'source', size: 32 }))).toBe(32);
  });

  it('does not fall back to a view that was under way before the edit', () => {
    expect(sizeAtRest(after({ kind: 'source', size: 128 }, viewWith(64)))).toBe(128);
  });

  it('believes the kernel once its size has changed', () => {
    expect(sizeAtRest(after({ kind: 'source', size: 128 }, viewWith(128)))).toBe(128);
    expect(after({ kind: 'source', size: 128 }, viewWith(128)).literal).toBeNull();
    expect(sizeAtRest(after({ kind: 'source', size: 128 }, viewWith(32)))).toBe(32);
  });

  it('can be moved again while an edit runs, or waits', () => {
    expect(canMove(after({ kind: 'apply', id: 1, size: 192 }))).toBe(true);
  });

  it('can be moved while another size is measured, and is not let go by that', () => {
    const state = after(
      { kind: 'preview', size: 96, dragging: true },
      { kind: 'view', view: view({ status: 'measuring' }) },
    );
    expect(canMove(state)).toBe(true);
    expect(state).toMatchObject({ preview: 96, dragging: true });
  });

  it('cannot be moved while the first profile is taken, nor with a single sample', () => {
    const [only] = report().samples;
    if (!only) throw new Error('no sample');
    const first = view({ status: 'measuring', plan: null });
    const single: Action = { kind: 'view', view: view({ report: report({ samples: [only] }) }) };
    expect(canMove(after({ kind: 'view', view: first }))).toBe(false);
    expect(canMove(after(single))).toBe(false);
  });

  it('is let go when a first profile begins', () => {
    const state = after(
      { kind: 'preview', size: 96, dragging: true },
      { kind: 'view', view: view({ status: 'measuring', plan: null }) },
    );
    expect(state).toMatchObject({ preview: null, dragging: false });
  });
});

describe('a request', () => {
  it('whose size was measured before is done as soon as it is applied', () => {
    expect(after(...APPLIED).pending).toBeNull();
  });

  it('for a new size waits until the kernel has measured it', () => {
    const applied = after(
      { kind: 'apply', id: 1, size: 192 },
      { kind: 'settle', id: 1, outcome: { kind: 'applied' } },
    );
    expect(applied.pending).toEqual({ id: 1, size: 192, phase: 'measuring' });
    expect(reduce(applied, viewWith(192)).pending).not.toBeNull();
    const [first] = report().samples;
    if (!first) throw new Error('no sample');
    const measured = report({ batch_size: 192, samples: [first, { ...first, batch_size: 192 }] });
    expect(reduce(applied, { kind: 'view', view: view({ report: measured }) }).pending).toBeNull();
  });

  it('for a new size ends when the kernel says why it did not measure it', () => {
    const applied = after(
      { kind: 'apply', id: 1, size: 192 },
      { kind: 'settle', id: 1, outcome: { kind: 'applied' } },
    );
    expect(reduce(applied, viewWith(192, '192 does not fit.')).pending).toBeNull();
  });

  it('that only edits the text is done at once, and the kernel keeps its size', () => {
    const state = after(
      { kind: 'apply', id: 1, size: 192 },
      { kind: 'settle', id: 1, outcome: { kind: 'applied', textOnly: true } },
    );
    expect(state).toMatchObject({ pending: null, literal: 192, notice: null });
  });

  it('that was given up leaves nothing behind', () => {
    const state = after(
      { kind: 'apply', id: 1, size: 192 },
      { kind: 'settle', id: 1, outcome: { kind: 'cancelled' } },
    );
    expect(state).toMatchObject({ pending: null, literal: null, notice: null });
  });

  it('that was refused keeps the line to paste', () => {
    const outcome = { kind: 'refused', message: 'Read-only.', line: 'b = 192' } as const;
    const state = after({ kind: 'apply', id: 1, size: 192 }, { kind: 'settle', id: 1, outcome });
    expect(state.notice).toEqual({ kind: 'refused', message: 'Read-only.', line: 'b = 192' });
  });

  it('that was overtaken by a newer one says nothing any more', () => {
    const state = after(
      { kind: 'apply', id: 1, size: 128 },
      { kind: 'apply', id: 2, size: 256 },
      { kind: 'settle', id: 1, outcome: { kind: 'refused', message: 'Too late.' } },
    );
    expect(state).toMatchObject({ pending: { id: 2, size: 256 }, notice: null });
  });
});
