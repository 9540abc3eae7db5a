import type { DeliveryRow } from '@hnotif/core/page';
import { groupedBy } from '@hnotif/core/grouped-by';

/** Deliveries of one sink that wait, or were lost, for the same reason; or one delivery alone. */
export interface DeliveryGroup {
  readonly oldest: DeliveryRow;
  /** The plans that its deliveries are of. */
  readonly plans: readonly string[];
  /** How many deliveries it has. */
  readonly count: number;
}

/** The groups of some rows, in the order of their first rows. */
export const deliveryGroups = (rows: readonly DeliveryRow[]): readonly DeliveryGroup[] =>
  [...groupedBy(rows, causeOf).values()].map((group) => ({
    oldest: group.reduce((oldest, row) => (row.at < oldest.at ? row : oldest)),
    plans: [...new Set(group.map(({ plan }) => plan))],
    count: group.reduce((sum, { count }) => sum + count, 0),
  }));

/** The same for deliveries of one group. */
function causeOf(row: DeliveryRow): unknown {
  const { notification, sink, state, why } = row;
  if (state === 'delivered' || state === 'suppressed') return row;
  return [notification, sink, state, why].join('\n');
}
