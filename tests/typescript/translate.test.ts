import { afterEach, expect, it } from 'vitest';
import { speak, trans } from '../../labextension/src/views/translate';

afterEach(() => {
  speak();
});

it('speaks English until it is told otherwise', () => {
  expect(trans.__('Run %1, then %2', 'a', 'b')).toBe('Run a, then b');
  expect(trans._n('%1 step', '%1 steps', 1)).toBe('1 step');
  expect(trans._n('%1 step of %2', '%1 steps of %2', 2, 'ten')).toBe('2 steps of ten');
});

it('leaves a placeholder that nothing fills, and a value that looks like one', () => {
  expect(trans.__('%1 of %2', '%2')).toBe('%2 of %2');
});

it('uses the words it is given', () => {
  speak({ __: text => text.toUpperCase(), _n: (_one, many) => many });
  expect(trans.__('apply')).toBe('APPLY');
  speak();
  expect(trans.__('apply')).toBe('apply');
});
