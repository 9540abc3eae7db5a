import { isRaw, type Raw } from '@hnotif/core/resources';
import type { Colour } from './io.ts';
import type { Column } from './table.ts';
import { ageOf } from './age.ts';

/** What `hnotif get` lists. The names are the fields of a session. */
export type ListKind = 'notifications' | 'plans' | 'journals';

const at = (raw: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRaw(value) ? value[key] : undefined), raw);

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const condition = (row: Raw, type: string): Raw => {
  const conditions = at(row, 'status', 'conditions');
  const found: unknown = Array.isArray(conditions)
    ? conditions.find((each) => isRaw(each) && each.type === type)
    : undefined;
  return isRaw(found) ? found : {};
};

const NAMESPACE: Column<Raw> = { header: 'NAMESPACE', cell: (row) => text(at(row, 'metadata', 'namespace')) };
const NAME: Column<Raw> = { header: 'NAME', cell: (row) => text(at(row, 'metadata', 'name')) };

const age = (header: string, now: number, path: readonly string[], wide = false): Column<Raw> => ({
  header,
  cell: (row) => ageOf(text(at(row, ...path)), now),
  wide,
});

const READY = 'SinksReady';

/** Why deliveries that wait are not stored; undefined: they are, or it is not known. */
function notDurable(row: Raw): string | undefined {
  const { status, reason } = condition(row, 'Durable');
  return status === 'False' ? `NotDurable (${text(reason)})` : undefined;
}

/** Problems stand out. */
const byReady = (row: Raw): Colour | undefined => {
  const { status, reason } = condition(row, 'Ready');
  if (status === 'False') return 'red';
  return reason === READY && notDurable(row) === undefined ? 'green' : 'yellow';
};

/** What is wrong; `SinksReady`: nothing. */
function reasonsOf(row: Raw): string {
  const reason = text(condition(row, 'Ready').reason) || 'NotObserved';
  const lost = notDurable(row);
  if (lost === undefined) return reason;
  return reason === READY ? lost : `${reason}, ${lost}`;
}

const notifications = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'READY', cell: (row) => text(condition(row, 'Ready').status) || 'Unknown', colour: byReady },
  { header: 'MATCHED', cell: (row) => text(at(row, 'status', 'matched')) || '-' },
  { header: 'WAITING', cell: (row) => text(at(row, 'status', 'waiting')) || '-' },
  { header: 'DURABLE', cell: (row) => text(condition(row, 'Durable').status), wide: true },
  age('OBSERVED', now, ['status', 'observedAt'], true),
  age('AGE', now, ['metadata', 'creationTimestamp']),
  { header: 'REASON', cell: reasonsOf, colour: byReady },
  { header: 'MESSAGE', cell: (row) => text(condition(row, 'Ready').message), wide: true },
];

const plans = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'PHASE', cell: (row) => text(at(row, 'status', 'phase')) || '-' },
  { header: 'OPERATION', cell: (row) => text(at(row, 'status', 'currentOperation')) || '-' },
  { header: 'RETRIES', cell: (row) => text(at(row, 'status', 'retryCount')) || '0' },
  age('CHANGED', now, ['status', 'lastTransitionTime']),
  age('AGE', now, ['metadata', 'creationTimestamp']),
  {
    header: 'LABELS',
    cell: (row) => {
      const labels = at(row, 'metadata', 'labels');
      return isRaw(labels)
        ? Object.entries(labels)
            .map(([key, value]) => `${key}=${text(value)}`)
            .join(',')
        : '';
    },
    wide: true,
  },
];

const journals = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'PLANS', cell: (row) => text(at(row, 'spec', 'summary', 'plans')) || '-' },
  { header: 'WAITING', cell: (row) => text(at(row, 'spec', 'summary', 'waiting')) || '-' },
  { header: 'OLDEST', cell: (row) => ageOf(text(at(row, 'spec', 'summary', 'oldest')), now) },
  { header: 'WRITER', cell: (row) => text(at(row, 'spec', 'writer', 'holder')), wide: true },
  { header: 'FOR', cell: (row) => text(at(row, 'spec', 'summary', 'for')) },
];

/** The columns of each list. */
export const LISTS: Readonly<Record<ListKind, (now: number) => readonly Column<Raw>[]>> = {
  notifications,
  plans,
  journals,
};
