/** The anywidget of one profile: a dashboard between the kernel's view and the page around it. */

import type { View } from '../report/wire.generated';
import { dispatchSkylineEvent, LANGUAGE_EVENT, mountDashboard, speak } from '../views';
import '../../style/skyline.css';
import '../../style/breakdown.css';
import '../../style/history.css';
import { outputHost } from './host';
import type { WidgetModel } from './model';
import { hideStaticTwin } from './twin';

export interface RenderContext {
  model: WidgetModel;
  el: HTMLElement;
  /** Newer anywidgets abort it when the view goes. */
  signal?: AbortSignal;
}

function render({ model, el, signal }: RenderContext): () => void {
  const rendered = new AbortController();
  dispatchSkylineEvent(document, LANGUAGE_EVENT, { answer: speak });
  const host = outputHost(el, model, rendered.signal);
  const dashboard = mountDashboard(el, host);
  const show = (): void => {
    const view = viewOf(model);
    dashboard.show(view);
    if (view !== null) {
      hideStaticTwin(el, view.id, rendered.signal);
    }
  };
  model.on('change:view_json', show);
  rendered.signal.addEventListener('abort', () => {
    model.off('change:view_json', show);
    dashboard.dispose();
  });
  signal?.addEventListener('abort', () => rendered.abort(), { signal: rendered.signal });
  show();
  return () => rendered.abort();
}

function viewOf(model: WidgetModel): View | null {
  const json = model.get('view_json');
  return typeof json === 'string' && json !== '' ? (JSON.parse(json) as View) : null;
}

export default { render };
