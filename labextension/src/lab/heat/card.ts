// The card at a mark of the gutter: everything that is known of its line.

import type { IDisposable } from '@lumino/disposable';

import { trans } from '../../views/translate';
import type { HeatLine } from './lines';

/** A pointer that only passes by opens nothing. */
const REST_MILLISECONDS = 150;
const GAP = 4;

/** One card for all gutters: only one mark is pointed at. */
export class HeatCard implements IDisposable {
  /** Show it at `mark` once the pointer has rested there. */
  show(mark: HTMLElement, heat: HeatLine, isOld: boolean): void {
    this.hide();
    const shown = new AbortController();
    this.#shown = shown;
    const waiting = setTimeout(() => {
      if (mark.isConnected) {
        this.#open(mark, heat, isOld);
      }
    }, REST_MILLISECONDS);
    shown.signal.addEventListener('abort', () => clearTimeout(waiting), { once: true });
    // What it stands at may scroll away below the pointer.
    const hide = (): void => this.hide();
    window.addEventListener('scroll', hide, { capture: true, signal: shown.signal });
  }

  hide(): void {
    this.#shown?.abort();
    this.#shown = null;
    this.#card.remove();
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.hide();
  }

  #open(mark: HTMLElement, heat: HeatLine, isOld: boolean): void {
    const edited = trans.__('The line was edited since.');
    this.#card.className = 'skyline-heat-card';
    this.#card.replaceChildren(
      element('b', heat.summary),
      list(heat.facts),
      ...(isOld ? [element('p', edited)] : []),
    );
    document.body.append(this.#card);
    const { left, top, bottom } = mark.getBoundingClientRect();
    const height = this.#card.offsetHeight;
    const below = bottom + GAP + height <= window.innerHeight;
    this.#card.style.left = `${left}px`;
    this.#card.style.top = `${below ? bottom + GAP : top - GAP - height}px`;
  }

  readonly #card = document.createElement('div');
  #shown: AbortController | null = null;
  #isDisposed = false;
}

function list(facts: HeatLine['facts']): HTMLElement {
  const rows = document.createElement('dl');
  rows.append(...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
  return rows;
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
