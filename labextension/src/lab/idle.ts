// Waits for a busy kernel, so that of several requests only the newest is ever sent to it.

import type { ISessionContext } from '@jupyterlab/apputils';

/** How a wait for the kernel ended. */
export type Readiness = 'idle' | 'gone' | 'superseded';

const GONE = new Set(['dead', 'terminating', 'restarting', 'autorestarting']);

/** Waits until the kernel has nothing to do, is gone, or `signal` says that a newer request took over. */
export function whenIdle(sessionContext: ISessionContext, signal: AbortSignal): Promise<Readiness> {
  return new Promise(resolve => {
    const look = (): void => {
      const readiness = signal.aborted ? 'superseded' : readinessOf(sessionContext);
      if (readiness !== null) {
        sessionContext.statusChanged.disconnect(look);
        sessionContext.kernelChanged.disconnect(look);
        sessionContext.disposed.disconnect(look);
        signal.removeEventListener('abort', look);
        resolve(readiness);
      }
    };
    sessionContext.statusChanged.connect(look);
    sessionContext.kernelChanged.connect(look);
    sessionContext.disposed.connect(look);
    signal.addEventListener('abort', look);
    look();
  });
}

function readinessOf(sessionContext: ISessionContext): 'idle' | 'gone' | null {
  const kernel = sessionContext.isDisposed ? null : sessionContext.session?.kernel;
  if (!kernel || GONE.has(kernel.status)) {
    return 'gone';
  }
  return kernel.status === 'idle' ? 'idle' : null;
}
