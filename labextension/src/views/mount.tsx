/** Puts a dashboard into an element; all that a host needs to know of the views. */

import { render } from 'preact';
import type { View } from '../report/wire.generated';
import { Dashboard } from './Dashboard';
import type { Host } from './host';

export interface MountedDashboard {
  /** Draw `view`; nothing while there is none. */
  show(view: View | null): void;
  /** Remove everything, listeners included. */
  dispose(): void;
}

export interface MountOptions {
  /** Narrow layout whatever the width: for side panels. */
  compact?: boolean;
}

export function mountDashboard(
  element: HTMLElement,
  host: Host,
  { compact = false }: MountOptions = {},
): MountedDashboard {
  return {
    show(view) {
      // The key starts each profile afresh: a held handle belongs to the one before.
      render(
        view && <Dashboard key={view.id} view={view} host={host} compact={compact} />,
        element,
      );
    },
    dispose() {
      render(null, element);
    },
  };
}
