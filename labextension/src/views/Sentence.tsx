/** Text for people in which `backticks` mark code. */

import type { JSX } from 'preact';

export function Sentence({ text }: { text: string }): JSX.Element {
  const parts = text.split('`');
  return (
    <span>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? <code key={index}>{part}</code> : part,
      )}
    </span>
  );
}
