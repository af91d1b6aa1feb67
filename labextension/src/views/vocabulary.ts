/** The words that a report has keys for. */

import { trans } from './translate';

const CATEGORIES: Readonly<Record<string, () => string>> = {
  weights: () => trans.__('weights'),
  'optimizer state': () => trans.__('optimizer state'),
  gradients: () => trans.__('gradients'),
  inputs: () => trans.__('inputs'),
  activations: () => trans.__('activations'),
  temporaries: () => trans.__('temporaries'),
};

const PHASES: Readonly<Record<string, () => string>> = {
  data: () => trans.__('data'),
  copy: () => trans.__('copy to device'),
  forward: () => trans.__('forward'),
  loss: () => trans.__('loss'),
  backward: () => trans.__('backward'),
  optimizer: () => trans.__('optimizer'),
  idle: () => trans.__('Python and waiting'),
};

/** What memory is held for. */
export function categoryWord(name: string): string {
  return CATEGORIES[name.replace('_', ' ')]?.() ?? name;
}

/** A part of a step. */
export function phaseWord(key: string): string {
  return PHASES[key]?.() ?? key;
}
