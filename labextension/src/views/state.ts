/** What a dashboard knows besides its view: pure, so that every move of the handle can be tested. */

import { offersSizes } from '../report/values';
import type { View } from '../report/wire.generated';
import type { Outcome } from './host';

/** A size that was asked for and has not been measured yet. */
export interface Pending {
  id: number;
  size: number;
  phase: 'applying' | 'measuring';
}

export interface Notice {
  kind: 'refused' | 'told';
  message: string;
  /** The line to paste, where the cell could not be changed. */
  line: string | null;
}

export interface DashboardState {
  view: View;
  /** What the literal in the notebook reads, where that is newer than the view. */
  literal: number | null;
  /** Where the handle is held, or was left by the keyboard; `null`: at rest. */
  preview: number | null;
  dragging: boolean;
  pending: Pending | null;
  notice: Notice | null;
}

export type Action =
  | { kind: 'view'; view: View }
  | { kind: 'source'; size: number }
  | { kind: 'preview'; size: number; dragging: boolean }
  | { kind: 'cancel' }
  | { kind: 'apply'; id: number; size: number }
  | { kind: 'settle'; id: number; outcome: Outcome }
  | { kind: 'notice'; notice: Notice | null };

export function initialState(view: View): DashboardState {
  return { view, literal: null, preview: null, dragging: false, pending: null, notice: null };
}

/** The size that the kernel works with, or `null` before there is a report. */
export function sizeNow(state: DashboardState): number | null {
  return state.view.report?.batch_size ?? null;
}

/** The size at rest: what the notebook says, or is about to say. */
export function sizeAtRest(state: DashboardState): number | null {
  return state.pending?.size ?? state.literal ?? sizeNow(state);
}

/** The size that the numbers and the handle show. */
export function sizeShown(state: DashboardState): number | null {
  return state.preview ?? sizeAtRest(state);
}

/**
 * A handle moves over curves that stand. While they are measured for the first time, which is when there is no plan
 * yet, they do not; another size may be measured meanwhile, and another request may be under way: the last one wins.
 */
export function canMove({ view }: DashboardState): boolean {
  const several = view.report !== null && offersSizes(view.report);
  return (
    several && (view.status === 'ready' || (view.status === 'measuring' && view.plan !== null))
  );
}

export function reduce(state: DashboardState, action: Action): DashboardState {
  switch (action.kind) {
    case 'view':
      return withView(state, action.view);
    case 'source':
      return { ...state, literal: action.size === sizeNow(state) ? null : action.size };
    case 'preview':
      return { ...state, preview: action.size, dragging: action.dragging, notice: null };
    case 'cancel':
      return { ...state, preview: null, dragging: false };
    case 'apply': {
      const pending: Pending = { id: action.id, size: action.size, phase: 'applying' };
      return { ...state, preview: null, dragging: false, notice: null, pending };
    }
    case 'settle':
      return state.pending?.id === action.id
        ? settled(state, state.pending, action.outcome)
        : state;
    case 'notice':
      return { ...state, notice: action.notice };
  }
}

function withView(state: DashboardState, view: View): DashboardState {
  const size = view.report?.batch_size;
  // A view that was under way before the edit still names the old size: the newer literal stands.
  const confirmed = size === state.literal || size !== sizeNow(state);
  const held = canMove({ ...state, view }) ? state : { ...state, preview: null, dragging: false };
  return {
    ...held,
    view,
    literal: confirmed ? null : state.literal,
    pending: state.pending !== null && isAnswered(state.pending, view) ? null : state.pending,
  };
}

/** The kernel measured what was asked for, or said why it did not. */
function isAnswered(pending: Pending, view: View): boolean {
  if (pending.phase === 'applying') {
    return false;
  }
  const measured = view.report?.samples.some(sample => sample.batch_size === pending.size) ?? false;
  const said = view.status === 'ready' && view.message !== '';
  return measured || said || view.status === 'failed';
}

function settled(state: DashboardState, pending: Pending, outcome: Outcome): DashboardState {
  const notice = noticeOf(outcome);
  if (outcome.kind !== 'applied') {
    return { ...state, pending: null, notice };
  }
  const literal = pending.size === sizeNow(state) ? null : pending.size;
  const measuring: Pending = { ...pending, phase: 'measuring' };
  const answered = outcome.textOnly === true || isAnswered(measuring, state.view);
  return { ...state, literal, pending: answered ? null : measuring, notice };
}

/** What an outcome has to say, if anything. */
export function noticeOf(outcome: Outcome): Notice | null {
  switch (outcome.kind) {
    case 'cancelled':
      return null;
    case 'refused':
      return { kind: 'refused', message: outcome.message, line: outcome.line ?? null };
    case 'applied': {
      const { message = '', line = null } = outcome;
      return message === '' && line === null ? null : { kind: 'told', message, line };
    }
  }
}
