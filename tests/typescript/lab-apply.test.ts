// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, notebook, SIZE, view } from './lab-desk';
import { OpenPanel, siteIn, viewOf } from './lab-notebook';

beforeEach(() => sessionStorage.clear());

describe('applying a batch size', () => {
  it('changes the digits alone and runs the cell and the light cells, in order', async () => {
    const open = notebook();
    const { applier, runner } = desk(open);

    expect(await applier.apply(view, 192, null)).toEqual({ kind: 'applied' });
    expect(open.source('size')).toBe('batch_size = 192  # small');
    expect(runner.ran).toEqual(['size', 'loader']);
  });

  it('executes only the statement where the cell is heavy', async () => {
    const open = notebook();
    const { applier, runner } = desk(open);
    const heavy = viewOf({
      kernelId: 'k',
      site: siteIn('size', SIZE, '64'),
      siteHeavy: 'it trains',
    });

    expect(await applier.apply(heavy, 192, null)).toEqual({ kind: 'applied' });
    expect(open.source('size')).toBe('batch_size = 192  # small');
    expect(runner.ran).toEqual(['batch_size = 192  # small']);
  });

  it('takes the literal as it is now, not as it was profiled', async () => {
    const open = notebook();
    open.cell('size').setSource('batch_size = 1_000  # small');
    const { applier } = desk(open);

    await applier.apply(view, 8, null);
    expect(open.source('size')).toBe('batch_size = 8  # small');
  });

  it('prefers the notebook in which the user acted', async () => {
    const [first, copy] = [notebook(), notebook()];
    const { applier } = desk(first, copy);

    await applier.apply(view, 192, copy.panel);
    expect([first.source('size'), copy.source('size')]).toEqual([
      SIZE,
      'batch_size = 192  # small',
    ]);
  });

  it('never touches the notebook of another kernel', async () => {
    const [mine, other] = [notebook('k'), notebook('other')];
    const { applier } = desk(other, mine);

    await applier.apply(view, 192, other.panel);
    expect([other.source('size'), mine.source('size')]).toEqual([
      SIZE,
      'batch_size = 192  # small',
    ]);
  });

  it('finds the one cell whose text fits where the kernel was told no cell id', async () => {
    const open = notebook();
    const { applier } = desk(open);
    const nameless = viewOf({ kernelId: 'k', site: siteIn(null, SIZE, '64') });

    expect(await applier.apply(nameless, 192, null)).toEqual({ kind: 'applied' });
    expect(open.source('size')).toBe('batch_size = 192  # small');
  });

  it('leaves a light cell alone that was edited since, and says so', async () => {
    const open = notebook();
    open.cell('loader').setSource('loader = other(batch_size)');
    open.cell('loader').execution_count = 4;
    const { applier, runner } = desk(open);

    expect(await applier.apply(view, 192, null)).toEqual({
      kind: 'applied',
      message: 'Cell [4] was edited since it ran, so it was left alone.',
    });
    expect(runner.ran).toEqual(['size']);
  });

  it('stops at a cell that raises an error', async () => {
    const { applier, runner } = desk(notebook());
    runner.failing = 'size';

    expect(await applier.apply(view, 192, null)).toEqual({
      kind: 'refused',
      message: 'Cell [ ] did not run to its end. Its output says why.',
    });
    expect(runner.ran).toEqual(['size']);
  });
});

describe('a request while the kernel is busy', () => {
  it('waits, and only the newest is run', async () => {
    const open = notebook();
    open.setStatus('busy');
    const { applier, runner } = desk(open);

    const older = applier.apply(view, 128, null);
    const newer = applier.apply(view, 192, null);
    expect(runner.ran).toEqual([]);
    open.setStatus('idle');

    expect(await older).toEqual({ kind: 'cancelled' });
    expect(await newer).toEqual({ kind: 'applied' });
    expect(runner.ran).toEqual(['size', 'loader']);
    expect(open.source('size')).toBe('batch_size = 192  # small');
  });

  it('is dropped when the cell is edited while it waits', async () => {
    const open = notebook();
    open.setStatus('busy');
    const { applier, runner } = desk(open);

    const outcome = applier.apply(view, 128, null);
    open.cell('size').setSource('batch_size = 9');
    open.setStatus('idle');

    expect(await outcome).toEqual({
      kind: 'refused',
      message: 'The cell was edited before it could run. Run it, then drag again.',
    });
    expect(runner.ran).toEqual([]);
  });

  it('ends when the kernel does', async () => {
    const open = notebook();
    open.setStatus('busy');
    const { applier, runner } = desk(open);

    const outcome = applier.apply(view, 128, null);
    open.setStatus('restarting');

    expect(await outcome).toEqual({
      kind: 'refused',
      message: 'The kernel stopped before cell [ ] could run.',
    });
    expect(runner.ran).toEqual([]);
  });
});

describe('of several views and copies', () => {
  it('two panels of one notebook are edited once, and the cell runs where the user is', async () => {
    const first = notebook();
    const second = new OpenPanel('k', [], first.notebook);
    const { applier, runner } = desk(first, second);

    expect(await applier.apply(view, 192, second.panel)).toEqual({ kind: 'applied' });
    expect(first.source('size')).toBe('batch_size = 192  # small');
    expect(runner.ran).toEqual(['size', 'loader']);
    expect(runner.panels).toEqual([second.panel, second.panel]);
    expect(applier.editing(view, first.panel).undo).toBe(64);
  });

  it('a copy of the cell is not taken for the cell that was deleted', async () => {
    const open = notebook();
    open.notebook.addCell({ cell_type: 'code', id: 'copy', source: SIZE });
    open.remove('size');
    const { applier, runner } = desk(open);

    expect(await applier.apply(view, 192, null)).toMatchObject({ kind: 'refused' });
    expect(open.source('copy')).toBe(SIZE);
    expect(runner.ran).toEqual([]);
  });

  it('of two cells that fit none is changed where the kernel was told no cell id', async () => {
    const open = notebook();
    open.notebook.addCell({ cell_type: 'code', id: 'copy', source: SIZE });
    const { applier } = desk(open);
    const nameless = viewOf({ kernelId: 'k', site: siteIn(null, SIZE, '64') });

    expect(await applier.apply(nameless, 192, null)).toEqual({
      kind: 'refused',
      message:
        'Several cells of this notebook hold the line that sets the batch size, so none was changed.',
      line: 'batch_size = 192  # small',
    });
    expect([open.source('size'), open.source('copy')]).toEqual([SIZE, SIZE]);
  });
});

describe('an edit is refused', () => {
  let offered: string | undefined;

  async function refusal(open: OpenPanel, of = view): Promise<string> {
    const { applier, runner } = desk(open);
    const before = open.notebook.cells.map(cell => cell.getSource());
    const outcome = await applier.apply(of, 192, null);
    expect(open.notebook.cells.map(cell => cell.getSource())).toEqual(before);
    expect(runner.ran).toEqual([]);
    offered = outcome.kind === 'refused' ? outcome.line : undefined;
    return outcome.kind === 'refused' ? outcome.message : outcome.kind;
  }

  it('in a cell that was edited since it ran', async () => {
    const open = notebook();
    open.cell('size').setSource('batch_size = 64 # smaller');
    open.cell('size').execution_count = 3;
    expect(await refusal(open)).toBe('Cell [3] was edited since it ran. Run it, then drag again.');
  });

  it('where the literal gave way to an expression', async () => {
    const open = notebook();
    open.cell('size').setSource('batch_size = 32 * n  # small');
    expect(await refusal(open)).toBe('Cell [ ] was edited since it ran. Run it, then drag again.');
  });

  it('when the cell was deleted', async () => {
    const open = notebook();
    open.remove('size');
    expect(await refusal(open)).toBe(
      'The cell that sets the batch size is no longer in this notebook.',
    );
    expect(offered).toBe('batch_size = 192  # small');
  });

  it('in a read-only cell', async () => {
    const open = new OpenPanel('k', [{ id: 'size', source: SIZE, editable: false }]);
    expect(await refusal(open)).toBe(
      'Cell [ ] is read-only, so the batch size in it cannot be changed.',
    );
    expect(offered).toBe('batch_size = 192  # small');
  });

  it('in a read-only notebook', async () => {
    const open = notebook();
    open.readOnly = true;
    expect(await refusal(open)).toBe(
      'This notebook is read-only, so its batch size cannot be changed.',
    );
  });

  it('with the reason of the profile, where no literal was found', async () => {
    expect(await refusal(notebook(), viewOf({ kernelId: 'k', site: null }))).toBe(
      'It is computed.',
    );
  });

  it('when no open notebook has the kernel', async () => {
    expect(await refusal(notebook('other'))).toBe(
      'The kernel that made this profile is gone. Run the cell with `%%skyline` again.',
    );
    expect(offered).toBeUndefined();
  });

  it('when the kernel was restarted since', async () => {
    const open = notebook();
    const { applier, store } = desk(open);
    store.put('k', view);
    store.restarted('k');
    expect(await applier.apply(view, 192, null)).toMatchObject({ kind: 'refused' });
    expect(open.source('size')).toBe(SIZE);
  });
});
