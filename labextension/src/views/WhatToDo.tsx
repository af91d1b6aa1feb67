/** What the measured step calls for beside another batch size: a hint in a row, with what it can bring at most. */

import type { JSX } from 'preact';
import { formatMultiple } from '../report/format';
import type { Finding } from '../report/wire.generated';
import { Button } from './EditStrip';
import { Sentence } from './Sentence';
import { trans } from './translate';

interface WhatToDoProps {
  hints: readonly Finding[];
  /** Look into the node of the breakdown where it is seen. */
  onShow: (node: number) => void;
}

export function WhatToDo({ hints, onShow }: WhatToDoProps): JSX.Element | null {
  if (hints.length === 0) {
    return null;
  }
  return (
    <section role="group" class="skyline-todo" aria-label={trans.__('What to do')}>
      <h3>
        <span>{trans.__('What to do')}</span>
        <span class="skyline-quiet">{trans.__('seen in your step')}</span>
      </h3>
      <ul>
        {hints.map(hint => (
          <Hint key={hint.kind} {...{ hint, onShow }} />
        ))}
      </ul>
    </section>
  );
}

function Hint({ hint, onShow }: { hint: Finding; onShow: (node: number) => void }): JSX.Element {
  const { statement, evidence, next_step: nextStep, gain } = hint;
  const node = hint.node ?? null;
  return (
    <li>
      <div>
        <b>
          <Sentence text={statement} />
        </b>
        <p>
          <Sentence text={nextStep} />
        </p>
        <p class="skyline-todo-evidence">
          <Sentence text={evidence} />
        </p>
      </div>
      {gain !== null && (
        <span
          class="skyline-todo-gain"
          title={trans.__('What it can bring at most, as a multiple of the throughput now')}
        >
          {trans.__('up to %1', formatMultiple(gain))}
        </span>
      )}
      {node !== null && <Button onClick={() => onShow(node)}>{trans.__('Show')}</Button>}
    </li>
  );
}
