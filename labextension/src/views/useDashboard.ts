/** Ties a dashboard's state to its host: requests out, outcomes and the notebook's own changes in. */

import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { Site, View } from '../report/wire.generated';
import { onSkylineEvent, SOURCE_EVENT } from './events';
import type { Host } from './host';
import {
  initialState,
  noticeOf,
  reduce,
  sizeAtRest,
  type Action,
  type DashboardState,
} from './state';

/** A kernel that trains can keep a request waiting; after this time the handle is free again. */
const SLOW_MILLISECONDS = 20_000;

export interface DashboardActions {
  preview: (size: number, dragging: boolean) => void;
  cancel: () => void;
  /** Ask the host for this size; where nothing can be edited the handle just stays there. */
  apply: (size: number) => void;
  run: (cellIds: readonly string[]) => void;
  choose: (candidate: Site) => void;
  /** End the cell that is measured; false where the host cannot. */
  interrupt: () => boolean;
}

type Dispatch = (action: Action) => void;

export function useDashboard(view: View, host: Host): [DashboardState, DashboardActions] {
  const [state, dispatch] = useReducer(reduce, view, initialState);
  const latest = useRef(state);
  latest.current = state;
  useLayoutEffect(() => dispatch({ kind: 'view', view }), [view]);
  useSource(view, dispatch);
  const apply = useApply(host, latest, dispatch);
  const run = useRun(host, latest, dispatch);
  const actions: DashboardActions = {
    preview: (size, dragging) => dispatch({ kind: 'preview', size, dragging }),
    cancel: () => dispatch({ kind: 'cancel' }),
    apply,
    run,
    interrupt: () => host.interrupt(latest.current.view),
    choose: candidate => host.choose(latest.current.view, candidate),
  };
  return [state, actions];
}

/** Follow the literal in the notebook: an undo, or a hand at the keyboard. */
function useSource(view: View, dispatch: Dispatch): void {
  const cellId = view.report?.site?.cell_id ?? null;
  useEffect(() => {
    const listening = new AbortController();
    const follow = ({
      detail,
    }: {
      detail: { kernelId: string; cellId: string; batchSize: number };
    }) => {
      if (detail.kernelId === view.kernel_id && detail.cellId === cellId) {
        dispatch({ kind: 'source', size: detail.batchSize });
      }
    };
    onSkylineEvent(document, SOURCE_EVENT, follow, listening.signal);
    return () => listening.abort();
  }, [view.kernel_id, cellId, dispatch]);
}

function useApply(
  host: Host,
  latest: { current: DashboardState },
  dispatch: Dispatch,
): (size: number) => void {
  const mounted = useMounted();
  const requests = useRef(0);
  return useCallback(
    (size: number) => {
      const { view } = latest.current;
      if (size === sizeAtRest(latest.current)) {
        dispatch({ kind: 'cancel' });
        return;
      }
      if (!host.available || view.report?.site == null) {
        dispatch({ kind: 'preview', size, dragging: false });
        return;
      }
      requests.current += 1;
      const id = requests.current;
      const slow = setTimeout(() => {
        if (!mounted.signal.aborted) {
          dispatch({ kind: 'slow', id });
        }
      }, SLOW_MILLISECONDS);
      dispatch({ kind: 'apply', id, size });
      void host.apply(view, size).then(outcome => {
        clearTimeout(slow);
        if (!mounted.signal.aborted) {
          dispatch({ kind: 'settle', id, outcome });
        }
      });
    },
    [host, latest, dispatch, mounted],
  );
}

function useRun(
  host: Host,
  latest: { current: DashboardState },
  dispatch: Dispatch,
): (cellIds: readonly string[]) => void {
  const mounted = useMounted();
  return useCallback(
    (cellIds: readonly string[]) => {
      void host.run(latest.current.view, cellIds).then(outcome => {
        if (!mounted.signal.aborted) {
          dispatch({ kind: 'notice', notice: noticeOf(outcome) });
        }
      });
    },
    [host, latest, dispatch, mounted],
  );
}

/** Aborted when the dashboard goes. */
function useMounted(): AbortController {
  const controller = useRef<AbortController | null>(null);
  controller.current ??= new AbortController();
  const { current } = controller;
  useEffect(() => () => current.abort(), [current]);
  return current;
}
