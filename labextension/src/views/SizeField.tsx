/** The number in the line of code, where it can be typed: it previews as a drag does. */

import type { JSX } from 'preact';
import { useImperativeHandle, useRef, useState } from 'preact/hooks';
import type { SnapRange } from '../report/snap';
import { trans } from './translate';

/** How a number that is begun elsewhere, such as on the handle, goes on in the field. */
export interface Entry {
  begin: (digit: string) => void;
}

interface SizeFieldProps {
  size: number;
  range: Pick<SnapRange, 'smallest' | 'largest'>;
  entry: { current: Entry | null };
  onPreview: (size: number) => void;
  onApply: (size: number) => void;
  onCancel: () => void;
}

export function SizeField(props: SizeFieldProps): JSX.Element {
  const { size, range, entry } = props;
  /** What is being typed; `null`: nothing. */
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const type = (text: string): void => {
    setTyped(text);
    const wanted = sizeIn(text, range);
    if (wanted !== null) props.onPreview(wanted);
  };
  useImperativeHandle(entry, () => ({
    begin(digit: string) {
      field.current?.focus();
      type(digit);
    },
  }));
  const shown = typed ?? String(size);
  const allowed = trans.__('%1 to %2', range.smallest, range.largest);
  const isWrong = typed !== null && sizeIn(typed, range) === null;
  return (
    <>
      <input
        ref={field}
        class="skyline-size"
        inputMode="numeric"
        autocomplete="off"
        data-lm-suppress-shortcuts="true"
        aria-label={trans.__('Batch size')}
        aria-invalid={isWrong}
        title={allowed}
        size={Math.max(shown.length, 2)}
        value={shown}
        onFocus={event => event.currentTarget.select()}
        onInput={event => type(event.currentTarget.value)}
        onKeyDown={event => listen(event, sizeIn(shown, range), setTyped, props)}
        onBlur={() => setTyped(null)}
      />
      {isWrong && (
        <span class="skyline-size-wrong" role="alert">
          {allowed}
        </span>
      )}
    </>
  );
}

/** Enter applies, Escape gives up; no key reaches the notebook. */
function listen(
  event: KeyboardEvent,
  wanted: number | null,
  setTyped: (typed: null) => void,
  { onApply, onCancel }: SizeFieldProps,
): void {
  event.stopPropagation();
  if (event.key === 'Enter' && wanted !== null) {
    setTyped(null);
    onApply(wanted);
    (event.currentTarget as HTMLInputElement).select();
  } else if (event.key === 'Escape') {
    setTyped(null);
    onCancel();
  }
}

/** The size that a text says, if it is one on offer. */
function sizeIn(text: string, { smallest, largest }: SizeFieldProps['range']): number | null {
  const size = /^[0-9]+$/.test(text.trim()) ? Number(text) : NaN;
  return size >= smallest && size <= largest ? size : null;
}
