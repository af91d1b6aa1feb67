// How a request to the notebook ends when it may not be done: with a sentence, never with silence.

import type { Outcome } from '../views';

/** Why something was not done, in one sentence for the user. */
export class Refusal extends Error {}

/**
 * Runs a request to its outcome. This is the boundary between JupyterLab and the dashboard, so
 * whatever fails in there is told to the user too; nothing is thrown across.
 */
export async function outcomeOf(request: () => Promise<string | undefined>): Promise<Outcome> {
  try {
    const message = await request();
    return message === undefined ? { kind: 'applied' } : { kind: 'applied', message };
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason);
    return { kind: 'refused', message };
  }
}
