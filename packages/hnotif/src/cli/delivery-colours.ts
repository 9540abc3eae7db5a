import type { DeliveryState } from '@hnotif/core/page';
import type { Colour } from './io.ts';

export const STATE_COLOURS: Readonly<Record<DeliveryState, Colour | undefined>> = {
  delivered: 'green',
  waiting: 'yellow',
  suppressed: 'dim',
  failed: 'red',
  dropped: 'red',
};
