/**
 * The static picture beside the widget is for readers without a kernel. While the widget lives, the
 * picture in the same cell's outputs is hidden; it may arrive after the widget.
 */

const OUTPUT = '.jp-OutputArea-child';
const OUTPUTS = '.jp-OutputArea';
const HIDDEN = 'skyline-static-hidden';

/** Hide the picture of the profile `id` next to `element` until `signal` aborts. */
export function hideStaticTwin(element: HTMLElement, id: string, signal: AbortSignal): void {
  if (signal.aborted || watched.get(element) === id) {
    return;
  }
  watched.set(element, id);
  whenAttached(element, signal, () => watch(element, id, signal));
}

/** So that each new view of one profile does not add a watch. */
const watched = new WeakMap<HTMLElement, string>();

function watch(element: HTMLElement, id: string, signal: AbortSignal): void {
  const outputs = element.closest(OUTPUTS);
  if (outputs === null) {
    return;
  }
  const hidden = new Set<Element>();
  const hide = (): void => {
    for (const image of outputs.querySelectorAll(`img[src*="skyline-static-${CSS.escape(id)}"]`)) {
      const output = image.closest(OUTPUT);
      if (output !== null && !output.contains(element)) {
        output.classList.add(HIDDEN);
        hidden.add(output);
      }
    }
  };
  const observer = new MutationObserver(hide);
  observer.observe(outputs, { childList: true, subtree: true });
  hide();
  signal.addEventListener('abort', () => {
    observer.disconnect();
    hidden.forEach(output => output.classList.remove(HIDDEN));
    watched.delete(element);
  });
}

/** The element may be filled before it is put on the page; a size of its own tells when it is. */
function whenAttached(element: HTMLElement, signal: AbortSignal, then: () => void): void {
  if (element.isConnected) {
    then();
    return;
  }
  const observer = new ResizeObserver(() => {
    if (element.isConnected) {
      observer.disconnect();
      then();
    }
  });
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
}
