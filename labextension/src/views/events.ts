/**
 * The DOM events between a dashboard in an output and the JupyterLab extension. They need no kernel,
 * so they work while it is busy.
 */

import type { View } from '../report/wire.generated';
import type { Direction, Editing, Outcome } from './host';
import type { Translation } from './translate';

export const APPLY_EVENT = 'skyline:apply';
export const TAKE_BACK_EVENT = 'skyline:take-back';
export const CANCEL_EVENT = 'skyline:cancel';
export const EDITING_EVENT = 'skyline:editing';
export const EDITS_EVENT = 'skyline:edits';
export const RUN_EVENT = 'skyline:run';
export const LABELS_EVENT = 'skyline:labels';
export const SOURCE_EVENT = 'skyline:source';
export const INTERRUPT_EVENT = 'skyline:interrupt';
export const LANGUAGE_EVENT = 'skyline:language';
export const POINT_EVENT = 'skyline:point';

/** Rewrite the literal and run what follows. Whoever takes it calls `preventDefault()` and settles once. */
export interface ApplyDetail {
  view: View;
  batchSize: number;
  settle: (outcome: Outcome) => void;
}

/** Take our last edit back, or make it again. Whoever takes it calls `preventDefault()` and settles once. */
export interface TakeBackDetail {
  view: View;
  direction: Direction;
  settle: (outcome: Outcome) => void;
}

/** Give up the request that waits for the kernel. Whoever takes it calls `preventDefault()` and settles once. */
export interface CancelDetail {
  view: View;
  settle: (outcome: Outcome) => void;
}

/** Asks what an edit would do and which can be taken back; answered before `dispatchEvent` returns. */
export interface EditingDetail {
  view: View;
  answer: (editing: Editing) => void;
}

/** Sent on `document`: ask again, the answer to `EDITING_EVENT` may be another. */
export interface EditsDetail {
  /** `null`: for every kernel. */
  kernelId: string | null;
}

/** Run these cells. Whoever takes it calls `preventDefault()` and settles once. */
export interface RunDetail {
  view: View;
  cells: string[];
  settle: (outcome: Outcome) => void;
}

/** Asks for the cells' present prompts; answered before `dispatchEvent` returns. */
export interface LabelsDetail {
  view: View;
  cells: string[];
  answer: (labels: Record<string, string>) => void;
}

/** Sent on `document`: the literal in a cell now reads `batchSize`. */
export interface SourceDetail {
  kernelId: string;
  cellId: string;
  batchSize: number;
}

/** Interrupt the kernel. Whoever takes it calls `preventDefault()`. */
export interface InterruptDetail {
  view: View;
}

/** Sent on `document` by a widget, which has words of its own: whoever knows the user's language answers before `dispatchEvent` returns. */
export interface LanguageDetail {
  answer: (translation: Translation) => void;
}

/** Sent on `document`: a pointer rests on a node of the breakdown, in a dashboard or beside a line of a cell. */
export interface PointDetail {
  kernelId: string;
  /** -1: on none. */
  node: number;
  /** It was clicked: show it, and look into what holds it. */
  keep: boolean;
}

export interface SkylineEventMap {
  [APPLY_EVENT]: ApplyDetail;
  [TAKE_BACK_EVENT]: TakeBackDetail;
  [CANCEL_EVENT]: CancelDetail;
  [EDITING_EVENT]: EditingDetail;
  [EDITS_EVENT]: EditsDetail;
  [RUN_EVENT]: RunDetail;
  [LABELS_EVENT]: LabelsDetail;
  [SOURCE_EVENT]: SourceDetail;
  [INTERRUPT_EVENT]: InterruptDetail;
  [LANGUAGE_EVENT]: LanguageDetail;
  [POINT_EVENT]: PointDetail;
}

/** Listen until `signal` aborts; the detail's type follows from the event's name. */
export function onSkylineEvent<Name extends keyof SkylineEventMap>(
  target: EventTarget,
  name: Name,
  listener: (event: CustomEvent<SkylineEventMap[Name]>) => void,
  signal: AbortSignal,
): void {
  target.addEventListener(name, event => listener(event as CustomEvent<SkylineEventMap[Name]>), {
    signal,
  });
}

/** Dispatch on `target`; true if a listener took it (called `preventDefault()`). */
export function dispatchSkylineEvent<Name extends keyof SkylineEventMap>(
  target: EventTarget,
  name: Name,
  detail: SkylineEventMap[Name],
): boolean {
  const event = new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true });
  return !target.dispatchEvent(event);
}
