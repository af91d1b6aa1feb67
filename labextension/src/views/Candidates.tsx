/** The literals that may be the batch size, where no one of them is certain: the user picks one. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Site } from '../report/wire.generated';
import { trans } from './translate';
import { literalLine, placeWords, type LabelOf } from './words';

interface CandidatesProps {
  candidates: readonly Site[];
  label: LabelOf;
  onChoose: (candidate: Site) => void;
}

export function Candidates({ candidates, label, onChoose }: CandidatesProps): JSX.Element {
  const [chosen, setChosen] = useState<Site | null>(null);
  const choose = (candidate: Site): void => {
    setChosen(candidate);
    onChoose(candidate);
  };
  return (
    <ul class="skyline-candidates" aria-label={trans.__('Lines that may set the batch size')}>
      {candidates.map(candidate => (
        <li key={`${candidate.execution_count}:${candidate.start}`}>
          <button
            type="button"
            class="skyline-candidate"
            data-lm-suppress-shortcuts="true"
            disabled={chosen !== null}
            aria-busy={chosen === candidate}
            onClick={() => choose(candidate)}
          >
            <Line candidate={candidate} />
            <span>
              {placeWords(candidate, label)} ·{' '}
              {chosen === candidate
                ? trans.__('waiting for the kernel')
                : trans.__('use this line')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Line({ candidate }: { candidate: Site }): JSX.Element {
  const { before, after } = literalLine(candidate);
  return (
    <code>
      {before}
      <mark>{candidate.text}</mark>
      {after}
    </code>
  );
}
