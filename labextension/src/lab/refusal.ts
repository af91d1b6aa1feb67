// How a request to the notebook ends when it may not be done: with a sentence, never with silence.

import type { Outcome } from '../views';

/** Why something was not done, in one sentence for the user. */
export class Refusal extends Error {
  /** @param line the text to paste by hand instead, where there is one. */
  constructor(
    message: string,
    readonly line?: string,
  ) {
    super(message);
  }
}

/** A newer request took over, or the user has given it up: there is nothing to say. */
export class Cancelled extends Error {}

/** What was done. */
export type Done = Omit<Extract<Outcome, { kind: 'applied' }>, 'kind'>;

/**
 * Runs a request to its outcome. This is the boundary between JupyterLab and the dashboard, so
 * whatever fails in there is told to the user too; nothing is thrown across.
 */
export async function outcomeOf(request: () => Promise<Done>): Promise<Outcome> {
  try {
    return { kind: 'applied', ...(await request()) };
  } catch (reason) {
    if (reason instanceof Cancelled) {
      return { kind: 'cancelled' };
    }
    const message = reason instanceof Error ? reason.message : String(reason);
    const line = reason instanceof Refusal ? reason.line : undefined;
    return line === undefined ? { kind: 'refused', message } : { kind: 'refused', message, line };
  }
}
