/** The part of anywidget's model that the widget uses. */

export interface WidgetModel {
  get(name: string): unknown;
  on(name: string, listener: (...values: unknown[]) => void): void;
  off(name: string, listener: (...values: unknown[]) => void): void;
  send(content: unknown): void;
}

/** What the kernel answers where no JupyterLab extension took the edit. */
export type KernelAnswer =
  { type: 'applied'; batch_size: number; line: string } | { type: 'refused'; message: string };

/** `null` for a message that is none of these. */
export function kernelAnswer(content: unknown): KernelAnswer | null {
  if (typeof content !== 'object' || content === null || !('type' in content)) {
    return null;
  }
  return content.type === 'applied' || content.type === 'refused'
    ? (content as KernelAnswer)
    : null;
}
