// Runs cells the way JupyterLab runs them, and statements that no cell may run for.

import type { ISessionContext, ISessionContextDialogs } from '@jupyterlab/apputils';
import { KernelError, NotebookActions, type INotebookCellExecutor } from '@jupyterlab/notebook';

import type { Place } from './notebooks';

/** Runs cells and statements in the kernel of a notebook. */
export class CellRunner {
  constructor(
    private readonly executor: INotebookCellExecutor | null,
    private readonly dialogs: ISessionContextDialogs,
  ) {}

  /** Runs a cell; false if it raised an error or was cancelled. Keeps edit mode, active cell and scroll. */
  async runCell({ panel, cell }: Place): Promise<boolean> {
    const { content, sessionContext } = panel;
    if (this.executor === null || content.model === null) {
      return NotebookActions.runCells(content, [cell], sessionContext, this.dialogs);
    }
    try {
      return await this.executor.runCell({
        cell,
        notebook: content.model,
        notebookConfig: content.notebookConfig,
        onCellExecuted: () => undefined,
        onCellExecutionScheduled: () => undefined,
        sessionContext,
        sessionDialogs: this.dialogs,
      });
    } catch (reason) {
      if (reason instanceof KernelError) {
        return false;
      }
      throw reason;
    }
  }

  /** Executes a statement without a cell and without a number in the history; false if it raised an error. */
  async runStatement(sessionContext: ISessionContext, code: string): Promise<boolean> {
    const kernel = sessionContext.session?.kernel;
    if (!kernel) {
      return false;
    }
    const reply = await kernel.requestExecute({ code, silent: true, store_history: false }).done;
    return reply.content.status === 'ok';
  }
}
