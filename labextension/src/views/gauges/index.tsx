/** Puts the gauges into an element. Not part of the views' public face: only the side panel has them, and the widget stays small. */

import { render } from 'preact';
import { Gauges, type GaugesProps } from './Gauges';

export { RATES, type GaugesState } from './Gauges';

export interface MountedGauges {
  show(props: GaugesProps): void;
  dispose(): void;
}

export function mountGauges(element: HTMLElement): MountedGauges {
  return {
    show(props) {
      render(<Gauges {...props} />, element);
    },
    dispose() {
      render(null, element);
    },
  };
}
