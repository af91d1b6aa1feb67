// The card at a mark of the gutter: everything that is known of its line.

import type { IDisposable } from '@lumino/disposable';

import { trans } from '../../views/translate';
import type { HeatLine } from './lines';

/** A pointer that only passes by opens nothing. */
const REST_MILLISECONDS = 150;
const GAP = 4;
const FACTS_ID = 'skyline-heat-facts';

/** What a card tells. */
export interface CardContent {
  heat: HeatLine;
  /** The line has been edited since it was measured. */
  isOld: boolean;
}

/** Where it is told, in pixels of the page. */
export type CardPlace = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

/** One card for all gutters: only one line is read. */
export class HeatCard implements IDisposable {
  /** Show it at `mark` once the pointer has rested there. */
  show(mark: HTMLElement, content: CardContent): void {
    const { signal } = this.#begin();
    const waiting = setTimeout(() => {
      if (mark.isConnected) {
        this.#open(mark.getBoundingClientRect(), content, []);
      }
    }, REST_MILLISECONDS);
    signal.addEventListener('abort', () => clearTimeout(waiting), { once: true });
    // What it stands at may scroll away below the pointer.
    const hide = (): void => this.hide();
    window.addEventListener('scroll', hide, { capture: true, signal });
  }

  /** Show it at once to the keyboard, whose keys are its own until it is left; `onKey` says which it takes. */
  read(at: CardPlace, content: CardContent, onKey: (key: string) => boolean): void {
    const { signal } = this.#begin();
    const keys = trans.__('↑ and ↓: other lines. Enter: the breakdown. Esc: back.');
    this.#open(at, content, [element('small', keys)]);
    const listen = (event: KeyboardEvent): void => {
      event.stopPropagation();
      if (onKey(event.key)) {
        event.preventDefault();
      }
    };
    this.#card.addEventListener('keydown', listen, { signal });
    this.#card.addEventListener('focusout', () => this.hide(), { signal });
    this.#card.focus();
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

  #begin(): AbortController {
    this.hide();
    this.#shown = new AbortController();
    return this.#shown;
  }

  #open(at: CardPlace, { heat, isOld }: CardContent, more: HTMLElement[]): void {
    const edited = trans.__('The line was edited since.');
    this.#card.setAttribute('aria-label', heat.summary);
    this.#card.replaceChildren(
      element('b', heat.summary),
      list(heat.facts),
      ...(isOld ? [element('p', edited)] : []),
      ...more,
    );
    document.body.append(this.#card);
    const height = this.#card.offsetHeight;
    const below = at.bottom + GAP + height <= window.innerHeight;
    this.#card.style.left = `${at.left}px`;
    this.#card.style.top = `${below ? at.bottom + GAP : at.top - GAP - height}px`;
  }

  readonly #card = emptyCard();
  #shown: AbortController | null = null;
  #isDisposed = false;
}

/** A dialog whose name is the sentence in bold, and which the figures below describe. */
function emptyCard(): HTMLElement {
  const card = document.createElement('div');
  card.className = 'skyline-heat-card';
  card.tabIndex = -1;
  card.setAttribute('data-lm-suppress-shortcuts', 'true');
  card.setAttribute('role', 'dialog');
  card.setAttribute('aria-describedby', FACTS_ID);
  return card;
}

function list(facts: HeatLine['facts']): HTMLElement {
  const rows = document.createElement('dl');
  rows.id = FACTS_ID;
  rows.append(...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
  return rows;
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
