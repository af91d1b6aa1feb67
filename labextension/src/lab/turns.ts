// One kernel serves one batch size at a time: the newest request, which waits visibly while the kernel is busy.

import { Signal, type ISignal } from '@lumino/signaling';

import type { Direction } from '../views';
import { whenIdle, type Readiness } from './idle';
import type { Place } from './notebooks';
import type { Site } from '../report/wire.generated';

/** What a request wants of the kernel. */
export interface Request {
  readonly place: Place;
  readonly site: Site;
  readonly batchSize: number;
  /** What takes its edit back. */
  readonly inverse: Direction;
}

/** A request from its edit to the last cell that it runs. */
export class Turn {
  constructor(
    readonly request: Request,
    /** What takes back its edit, and those of the requests that it overtook while they waited: the first one first. */
    readonly inverses: readonly Direction[],
  ) {}

  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Let nothing more of it be done. */
  end(): void {
    this.#controller.abort();
  }
}

/** The newest request of each kernel. */
export class Turns {
  /** Emits the id of a kernel for which a request begins or ends to wait. */
  get changed(): ISignal<this, string> {
    return this.#changed;
  }

  /** Begin; any older request of the kernel that still waits, or has cells left to run, ends here. */
  take(kernelId: string, request: Request): Turn {
    const waiting = this.waiting(kernelId);
    this.#turns.get(kernelId)?.end();
    const turn = new Turn(request, [...(waiting?.inverses ?? []), request.inverse]);
    this.#turns.set(kernelId, turn);
    return turn;
  }

  /** Wait until the kernel has nothing else to do. */
  async wait(kernelId: string, turn: Turn): Promise<Readiness> {
    const { sessionContext } = turn.request.place.panel;
    if (sessionContext.session?.kernel?.status === 'idle') {
      return 'idle';
    }
    this.#waiting.set(kernelId, turn);
    this.#changed.emit(kernelId);
    const readiness = await whenIdle(sessionContext, turn.signal);
    this.#stopWaiting(kernelId, turn);
    return readiness;
  }

  /** The request that waits for the kernel. */
  waiting(kernelId: string): Turn | null {
    return this.#waiting.get(kernelId) ?? null;
  }

  /** Give up the request that waits, and return it. */
  cancel(kernelId: string): Turn | null {
    const turn = this.waiting(kernelId);
    if (turn !== null) {
      turn.end();
      this.#stopWaiting(kernelId, turn);
    }
    return turn;
  }

  #stopWaiting(kernelId: string, turn: Turn): void {
    if (this.#waiting.get(kernelId) === turn) {
      this.#waiting.delete(kernelId);
      this.#changed.emit(kernelId);
    }
  }

  readonly #changed = new Signal<this, string>(this);
  readonly #turns = new Map<string, Turn>();
  readonly #waiting = new Map<string, Turn>();
}
