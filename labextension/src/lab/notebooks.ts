// Finds the notebook and the cell that a report speaks of, among all that are open.

import type { Cell, CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

/** A code cell, in the notebook where it stands. */
export interface Place {
  readonly panel: NotebookPanel;
  readonly cell: CodeCell;
}

/** What the kernel knows of a cell's identity: `null` where the front end sent no id. */
export interface CellReference {
  readonly cell_id: string | null;
}

export function kernelIdOf(panel: NotebookPanel): string | null {
  return panel.sessionContext.session?.kernel?.id ?? null;
}

/** The notebook on whose page the node stands; `null` for the side panel and for an output in a tab of its own. */
export function panelAt(
  tracker: INotebookTracker,
  target: EventTarget | null,
): NotebookPanel | null {
  return target instanceof Node
    ? (tracker.find(panel => panel.node.contains(target)) ?? null)
    : null;
}

/** The open notebooks of a kernel; `first` leads, because a copied notebook has the same cell ids. */
export function panelsOf(
  tracker: INotebookTracker,
  kernelId: string,
  first: NotebookPanel | null = null,
): NotebookPanel[] {
  const panels = tracker.filter(panel => kernelIdOf(panel) === kernelId);
  return panels.sort((a, b) => Number(b === first) - Number(a === first));
}

export function codeCells(panel: NotebookPanel): CodeCell[] {
  return panel.content.widgets.filter(isCodeCell);
}

function isCodeCell(cell: Cell): cell is CodeCell {
  return cell.model.type === 'code';
}

export function sourceOf(cell: CodeCell): string {
  return cell.model.sharedModel.getSource();
}

/**
 * The cell meant by `reference` in the first notebook that has it. Where the kernel was told no
 * cell id, it is the only cell whose text fits.
 */
export function findCell(
  panels: readonly NotebookPanel[],
  reference: CellReference,
  fits: (source: string) => boolean,
): Place | null {
  for (const panel of panels) {
    const cells = codeCells(panel).filter(cell =>
      reference.cell_id === null ? fits(sourceOf(cell)) : cell.model.id === reference.cell_id,
    );
    const [cell] = cells;
    if (cell !== undefined && cells.length === 1) {
      return { panel, cell };
    }
  }
  return null;
}

/** The prompt that stands before the cell now: `[7]`, `[*]` while it runs, `[ ]` before it first ran. */
export function promptOf(cell: CodeCell): string {
  const shown = cell.promptNode?.textContent.match(/\[.*\]/)?.[0];
  return shown ?? `[${String(cell.model.executionCount ?? ' ')}]`;
}
