// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Applier } from '../../labextension/src/lab/apply';
import type { KernelChannels } from '../../labextension/src/lab/channel';
import { EditLog } from '../../labextension/src/lab/edits';
import { SiteFollower } from '../../labextension/src/lab/follow';
import { OpenNotebooks } from '../../labextension/src/lab/open';
import { Rerunner } from '../../labextension/src/lab/rerun';
import { Rewriter } from '../../labextension/src/lab/rewrite';
import type { CellRunner } from '../../labextension/src/lab/run';
import { ViewStore } from '../../labextension/src/lab/store';
import {
  onSkylineEvent,
  SOURCE_EVENT,
  type SourceDetail,
} from '../../labextension/src/views/events';
import { OpenPanel, siteIn, trackerOf, viewOf } from './lab-notebook';

const SIZE = 'batch_size = 64';
const view = viewOf({ kernelId: 'k', site: siteIn('size', SIZE, '64') });

const runCell = vi.fn<CellRunner['runCell']>();
const measure = vi.fn<KernelChannels['measure']>();
let heard: SourceDetail[];
let listening: AbortController;

beforeEach(() => {
  sessionStorage.clear();
  runCell.mockReset().mockResolvedValue(true);
  measure.mockReset();
  heard = [];
  listening = new AbortController();
  onSkylineEvent(document, SOURCE_EVENT, event => heard.push(event.detail), listening.signal);
});

afterEach(() => listening.abort());

function desk(open: OpenPanel): { applier: Applier; follower: SiteFollower; store: ViewStore } {
  const tracker = trackerOf(open);
  const store = new ViewStore();
  const edits = new EditLog();
  const rewriter = new Rewriter(edits);
  const preference = { release: 'light' } as const;
  const rerunner = new Rerunner(tracker, { runCell } as unknown as CellRunner, preference);
  const applier = new Applier(tracker, store, edits, rewriter, rerunner, preference);
  const channels = { measure } as unknown as KernelChannels;
  const notebooks = new OpenNotebooks(tracker);
  const follower = new SiteFollower(notebooks, store, rewriter, applier, rerunner, channels);
  follower.follow(view);
  return { applier, follower, store };
}

function notebook(source = SIZE): OpenPanel {
  return new OpenPanel('k', [{ id: 'size', source }]);
}

function told(batchSize: number): SourceDetail {
  return { kernelId: 'k', cellId: 'size', batchSize };
}

describe('following the literal', () => {
  it('tells the dashboards of an edit of ours, and of its undo and redo', async () => {
    const open = notebook();
    const { applier } = desk(open);

    await applier.apply(view, 192, null);
    open.cell('size').undo();
    open.cell('size').redo();

    expect(heard).toEqual([told(192), told(64), told(192)]);
    expect(open.source('size')).toBe('batch_size = 192');
  });

  it('runs the cell again for a value that an undo brought back, and has it measured', async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 192, null);
    runCell.mockClear();

    open.cell('size').undo();

    await vi.waitFor(() => expect(measure.mock.calls).toEqual([['k', 64]]), 60_000);
    expect(runCell.mock.calls.map(([place]) => place.cell.model.id)).toEqual(['size']);
  });

  it('knows an expression again that an undo brought back, though the kernel has seen a plain number', async () => {
    const source = 'batch_size = 2 ** 6';
    const open = notebook(source);
    const { applier, follower } = desk(open);
    const written = viewOf({
      kernelId: 'k',
      site: { ...siteIn('size', source, '2 ** 6'), value: 64 },
    });
    follower.follow(written);
    await applier.apply(written, 192, null);
    expect(open.source('size')).toBe('batch_size = 192');
    const plain = siteIn('size', 'batch_size = 192', '192');
    follower.follow(viewOf({ kernelId: 'k', site: plain }));

    open.cell('size').undo();

    await vi.waitFor(() => expect(measure.mock.calls).toEqual([['k', 64]]), 60_000);
    expect(open.source('size')).toBe(source);
  });

  it('keeps two edits apart however quickly they follow each other', async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 128, null);
    await applier.apply(view, 192, null);

    open.cell('size').undo();
    expect(open.source('size')).toBe('batch_size = 128');
    open.cell('size').undo();
    expect(open.source('size')).toBe(SIZE);
  });

  it('only moves the handle when a person types another number', () => {
    const open = notebook();
    desk(open);

    open.cell('size').setSource('batch_size = 96');

    expect(heard).toEqual([told(96)]);
    expect(runCell).not.toHaveBeenCalled();
  });

  it('runs nothing when an undo takes back typing that changed no value', async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 192, null);
    runCell.mockClear();

    open.cell('size').updateSource(0, 0, '# ');
    open.cell('size').undo();

    expect(open.source('size')).toBe('batch_size = 192');
    expect(runCell).not.toHaveBeenCalled();
  });

  it('runs nothing when a person types the number that we replaced', async () => {
    const open = notebook();
    const { applier } = desk(open);
    await applier.apply(view, 192, null);
    runCell.mockClear();

    open.cell('size').setSource(SIZE);

    expect(heard).toEqual([told(192), told(64)]);
    expect(runCell).not.toHaveBeenCalled();
  });

  it('says nothing while the place holds no number', () => {
    const open = notebook();
    desk(open);
    open.cell('size').setSource('batch_size = ');
    expect(heard).toEqual([]);
  });

  it('tells at once when the notebook already reads another number', () => {
    desk(notebook('batch_size = 96'));
    expect(heard).toEqual([told(96)]);
  });

  it('follows a cell that comes back after it was deleted', async () => {
    const open = notebook();
    desk(open);
    await open.panel.context.ready;
    open.remove('size');
    open.notebook.addCell({ cell_type: 'code', id: 'size', source: SIZE });
    open.cellsChanged.emit(null);

    open.cell('size').setSource('batch_size = 96');
    expect(heard).toEqual([told(96)]);
  });

  it('hears nothing more once it is disposed', () => {
    const open = notebook();
    const { follower } = desk(open);
    follower.dispose();
    open.cell('size').setSource('batch_size = 96');
    expect(heard).toEqual([]);
  });
});
