/** Waiting for what was put off: Preact draws in the next turn, and runs effects after the frame that follows. */

const TURNS = 3;

/** Several turns, so that what one of them puts off runs in the next, however late a slow machine comes to it. */
export async function drawn(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
