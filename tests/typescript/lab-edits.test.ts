// @vitest-environment happy-dom
/** Edits that are given up, taken back or made again, and what the setting lets them run. */

import { beforeEach, describe, expect, it } from 'vitest';

import { desk, LOADER, notebook, SIZE, view, type Desk } from './lab-desk';
import { OpenPanel, planned, siteIn, viewOf } from './lab-notebook';

beforeEach(() => sessionStorage.clear());

describe('a request that waits is given up', () => {
  function busyDesk(): Desk & { open: OpenPanel } {
    const open = notebook();
    open.setStatus('busy');
    return { open, ...desk(open) };
  }

  it('and its edit is taken back with it, as one step', async () => {
    const { open, applier, runner } = busyDesk();
    const outcome = applier.apply(view, 128, null);
    expect(applier.editing(view, null).waiting).toBe(128);

    await applier.cancel(view);

    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(open.source('size')).toBe(SIZE);
    expect(applier.editing(view, null)).toMatchObject({ waiting: null, undo: null, redo: 128 });
    open.setStatus('idle');
    expect(runner.ran).toEqual([]);
  });

  it('with the edits of those that it overtook', async () => {
    const { open, applier } = busyDesk();
    void applier.apply(view, 128, null);
    void applier.apply(view, 256, null);

    await applier.cancel(view);

    expect(open.source('size')).toBe(SIZE);
  });

  it('by an undo in the cell', async () => {
    const { open, applier, runner } = busyDesk();
    const outcome = applier.apply(view, 128, null);
    open.cell('size').undo();
    applier.drop('k');

    expect(await outcome).toEqual({ kind: 'cancelled' });
    open.setStatus('idle');
    expect(runner.ran).toEqual([]);
  });

  it('or says why its edit stands', async () => {
    const { open, applier } = busyDesk();
    const outcome = applier.apply(view, 128, null);
    open.cell('size').setSource('batch_size = 128 + 1');

    expect(await applier.cancel(view)).toMatchObject({ kind: 'refused' });
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(open.source('size')).toBe('batch_size = 128 + 1');
  });
});

describe('undo and redo', () => {
  it('put the text back and run the cell and the light cells again', async () => {
    const open = notebook();
    const { applier, runner } = desk(open);
    await applier.apply(view, 192, null);
    expect(applier.editing(view, null)).toMatchObject({ undo: 64, redo: null });
    runner.ran.length = 0;

    expect(await applier.takeBack(view, 'undo', null)).toEqual({ kind: 'applied' });
    expect(open.source('size')).toBe(SIZE);
    expect(runner.ran).toEqual(['size', 'loader']);
    expect(applier.editing(view, null)).toMatchObject({ undo: null, redo: 192 });

    await applier.takeBack(view, 'redo', null);
    expect(open.source('size')).toBe('batch_size = 192  # small');
    expect(applier.editing(view, null)).toMatchObject({ undo: 64, redo: null });
  });

  it("are steps in the cell's own history, so that its keys go on from there", async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 128, null);
    await applier.apply(view, 192, null);

    await applier.takeBack(view, 'undo', null);
    open.cell('size').undo();
    expect(open.source('size')).toBe(SIZE);
    expect(applier.editing(view, null)).toMatchObject({ undo: null, redo: 128 });

    open.cell('size').redo();
    expect(applier.editing(view, null)).toMatchObject({ undo: 64, redo: 192 });
  });

  it('write the earlier number where a person has typed another since', async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 192, null);
    open.cell('size').setSource('batch_size = 200  # small');

    await applier.takeBack(view, 'undo', null);
    expect(open.source('size')).toBe(SIZE);
    expect(applier.editing(view, null)).toMatchObject({ undo: null, redo: 192 });

    open.cell('size').undo();
    expect(open.source('size')).toBe('batch_size = 200  # small');
    expect(applier.editing(view, null)).toMatchObject({ undo: 64, redo: null });
  });

  it('bring an expression back as it was written', async () => {
    const source = 'batch_size = 2 ** 6';
    const open = new OpenPanel('k', [{ id: 'size', source }]);
    const { applier } = desk(open);
    const written = { ...siteIn('size', source, '2 ** 6'), value: 64 };
    const shown = viewOf({ kernelId: 'k', site: written });
    await applier.apply(shown, 192, null);
    open.cell('size').setSource('batch_size = 200');

    await applier.takeBack(shown, 'undo', null);
    expect(open.source('size')).toBe(source);
  });

  it('say why not where the place is lost, and offer the line to paste', async () => {
    const open = notebook();
    const { applier, runner } = desk(open);
    await applier.apply(view, 192, null);
    runner.ran.length = 0;
    open.cell('size').setSource('batch_size = 2 * 96');

    expect(await applier.takeBack(view, 'undo', null)).toEqual({
      kind: 'refused',
      message: 'Cell [ ] was edited since it ran. Run it, then drag again.',
      line: SIZE,
    });
    expect(runner.ran).toEqual([]);
  });

  it('have nothing to do where no edit is ours', async () => {
    const open = notebook();
    const { applier } = desk(open);
    open.cell('size').setSource('batch_size = 96  # small');

    expect(applier.editing(view, null)).toMatchObject({ undo: null, redo: null });
    expect(await applier.takeBack(view, 'undo', null)).toMatchObject({ kind: 'refused' });
    expect(open.source('size')).toBe('batch_size = 96  # small');
  });

  it('survive a reload of the page', async () => {
    await desk(notebook()).applier.apply(view, 192, null);
    const reloaded = notebook();
    reloaded.cell('size').setSource('batch_size = 192  # small');
    const { applier, runner } = desk(reloaded);

    expect(applier.editing(view, null).undo).toBe(64);
    await applier.takeBack(view, 'undo', null);

    expect(reloaded.source('size')).toBe(SIZE);
    expect(runner.ran).toEqual(['size', 'loader']);
  });
});

describe('the setting for a release', () => {
  const heavy = [planned('train', 'train(loader)')];
  const whole = viewOf({
    kernelId: 'k',
    site: siteIn('size', SIZE, '64'),
    light: [planned('loader', LOADER)],
    heavy,
  });

  it('edit: changes the text alone, and there is nothing to measure', async () => {
    const open = notebook();
    open.setStatus('busy');
    const { applier, runner, preference } = desk(open);
    preference.release = 'edit';

    expect(await applier.apply(whole, 192, null)).toEqual({ kind: 'applied', textOnly: true });
    expect(open.source('size')).toBe('batch_size = 192  # small');
    expect(runner.ran).toEqual([]);
  });

  it('all: runs the heavy cells too, after the light ones', async () => {
    const { applier, runner, preference } = desk(notebook());
    preference.release = 'all';

    await applier.apply(whole, 192, null);
    expect(runner.ran).toEqual(['size', 'loader', 'train']);
  });

  it("all: runs the site's own heavy cell where it needs what the light cells make", async () => {
    const own = viewOf({
      kernelId: 'k',
      site: siteIn('size', SIZE, '64'),
      siteHeavy: 'it trains',
      light: [planned('loader', LOADER)],
      heavy: [planned('size', SIZE)],
    });
    const { applier, runner, preference } = desk(notebook());
    preference.release = 'all';

    await applier.apply(own, 192, null);
    expect(runner.ran).toEqual(['batch_size = 192  # small', 'loader', 'size']);
  });
});
