/** Whole numbers as people write them in Python, `64` or `2 ** 7`: the same as in `skyline_jupyter/source/constants.py`. */

const NUMBER =
  /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[1-9](?:_?\d)*|0(?:_?0)*/;
const TOKEN = new RegExp(`[ \\t]*(${NUMBER.source}|\\*\\*|//|<<|>>|[-+*()])`, 'y');
const LARGEST_SHIFT = 53;

type Operation = (left: number, right: number) => number | null;

/** From the loosest to the tightest; `**` alone binds to the right. */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  {
    '<<': (left, right) => (right <= LARGEST_SHIFT ? left * 2 ** right : null),
    '>>': (left, right) => Math.floor(left / 2 ** right),
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  {
    '*': (left, right) => left * right,
    // A quotient of large numbers may be rounded up to the next whole number.
    '//': (left, right) => (right > 0 ? (left - (left % right)) / right : null),
  },
  { '**': power },
];

/** The value of a number or of an expression of numbers; `null` for all else. */
export function constantValue(text: string): number | null {
  const tokens = tokensOf(text);
  if (tokens === null || text.trim() !== text) {
    return null;
  }
  const value = evaluate(tokens, 0);
  return tokens.length === 0 ? value : null;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[1];
    const isSecondNumber = isNumber(token) && isNumber(tokens.at(-1));
    if (token === undefined || isSecondNumber) {
      return null;
    }
    tokens.push(token);
  }
  return tokens;
}

function isNumber(token: string | undefined): boolean {
  return token !== undefined && /^\d/.test(token);
}

/** Takes tokens from the front; `null` where they are no expression, or its value is out of bounds. */
function evaluate(tokens: string[], level: number): number | null {
  const operations = LEVELS[level];
  if (operations === undefined) {
    return atom(tokens);
  }
  let left = evaluate(tokens, level + 1);
  for (let operation = operations[tokens[0] ?? '']; operation;) {
    const isPower = tokens.shift() === '**';
    const right = evaluate(tokens, isPower ? level : level + 1);
    left = left === null || right === null ? null : exact(operation(left, right));
    operation = operations[tokens[0] ?? ''];
  }
  return left;
}

function atom(tokens: string[]): number | null {
  const token = tokens.shift();
  if (token === '(') {
    const inner = evaluate(tokens, 0);
    return tokens.shift() === ')' ? inner : null;
  }
  return isNumber(token) ? exact(Number(token?.replaceAll('_', ''))) : null;
}

function exact(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function power(left: number, right: number): number | null {
  if (left < 2) {
    return right === 0 ? 1 : left;
  }
  // Not `**`, which JavaScript does not promise to be exact.
  let value = 1;
  for (let count = 0; count < right && value <= Number.MAX_SAFE_INTEGER; count++) {
    value *= left;
  }
  return value;
}
