/**
 * The views' words in the user's language. English until a host that has JupyterLab's translator hands
 * over its bundle; the calls are written `trans.__('…')` because that is what the catalogues' extractor
 * looks for.
 */

export type Argument = string | number;

/** The part of JupyterLab's `TranslationBundle` that the views use. */
export interface Translation {
  /** `msgid` with `%1`, `%2`, … replaced by the arguments. */
  __(msgid: string, ...args: Argument[]): string;
  /** The form for `n`, which is also `%1`. */
  _n(msgid: string, plural: string, n: number, ...args: Argument[]): string;
}

const english: Translation = {
  __: (msgid, ...args) => filled(msgid, args),
  _n: (msgid, plural, n, ...args) => filled(n === 1 ? msgid : plural, [n, ...args]),
};

let current: Translation = english;

export const trans: Translation = {
  __: (msgid, ...args) => current.__(msgid, ...args),
  _n: (msgid, plural, n, ...args) => current._n(msgid, plural, n, ...args),
};

/** Speak through `translation` from now on; English again without one. */
export function speak(translation?: Translation): void {
  current = translation ?? english;
}

function filled(text: string, args: readonly Argument[]): string {
  return text.replace(/%(\d+)/g, (whole, index: string) => {
    const argument = args[Number(index) - 1];
    return argument === undefined ? whole : String(argument);
  });
}
