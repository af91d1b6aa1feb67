/** Ties a dashboard's state to its host: requests out, outcomes and the notebook's own changes in. */

import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { Site, View } from '../report/wire.generated';
import { onSkylineEvent, SOURCE_EVENT } from './events';
import type { Direction, Host, Outcome } from './host';
import {
  initialState,
  noticeOf,
  reduce,
  sizeAtRest,
  type Action,
  type DashboardState,
} from './state';

export interface DashboardActions {
  preview: (size: number, dragging: boolean) => void;
  cancel: () => void;
  /** Ask the host for this size; where nothing can be edited the handle just stays there. */
  apply: (size: number) => void;
  /** Take our last edit back, or make it again; `size` is what that brings. */
  takeBack: (direction: Direction, size: number) => void;
  /** Give up the request that waits for the kernel. */
  giveUp: () => void;
  run: (cellIds: readonly string[]) => void;
  choose: (candidate: Site) => void;
  /** Compare with this entry of the history, or with none. */
  pin: (entryId: string | null) => void;
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
  const request = useRequest(latest, dispatch);
  const tell = useTelling(dispatch);
  const actions: DashboardActions = {
    preview: (size, dragging) => dispatch({ kind: 'preview', size, dragging }),
    cancel: () => dispatch({ kind: 'cancel' }),
    apply: size => applySize(host, latest.current, dispatch, request, size),
    takeBack: (direction, size) => request(size, shown => host.takeBack(shown, direction)),
    giveUp: () => tell(host.cancel(latest.current.view)),
    run: cellIds => tell(host.run(latest.current.view, cellIds)),
    interrupt: () => host.interrupt(latest.current.view),
    pin: entryId => host.pin(latest.current.view, entryId),
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

type Ask = (size: number, ask: (view: View) => Promise<Outcome>) => void;

function applySize(
  host: Host,
  state: DashboardState,
  dispatch: Dispatch,
  request: Ask,
  size: number,
): void {
  if (size === sizeAtRest(state)) {
    dispatch({ kind: 'cancel' });
  } else if (!host.available || state.view.report?.site == null) {
    dispatch({ kind: 'preview', size, dragging: false });
  } else {
    request(size, view => host.apply(view, size));
  }
}

/** Asks the host for a size, and follows the request to its outcome. */
function useRequest(latest: { current: DashboardState }, dispatch: Dispatch): Ask {
  const mounted = useMounted();
  const requests = useRef(0);
  return useCallback(
    (size, ask) => {
      requests.current += 1;
      const id = requests.current;
      dispatch({ kind: 'apply', id, size });
      void ask(latest.current.view).then(outcome => {
        if (!mounted.signal.aborted) {
          dispatch({ kind: 'settle', id, outcome });
        }
      });
    },
    [latest, dispatch, mounted],
  );
}

/** Tells how a request ended that moves no handle. */
function useTelling(dispatch: Dispatch): (request: Promise<Outcome>) => void {
  const mounted = useMounted();
  return useCallback(
    request => {
      void request.then(outcome => {
        if (!mounted.signal.aborted) {
          dispatch({ kind: 'notice', notice: noticeOf(outcome) });
        }
      });
    },
    [dispatch, mounted],
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
