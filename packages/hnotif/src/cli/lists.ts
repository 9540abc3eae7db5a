import type { Raw } from '@hnotif/core/resources';
import { listAt, objectAt, textAt, valueAt } from './fields.ts';
import type { Colour } from './io.ts';
import type { Column } from './table.ts';
import { ageOf } from './age.ts';

/** What `hnotif get` lists. The names are the fields of a session. */
export type ListKind = 'notifications' | 'plans' | 'journals';

export const SINGULAR = {
  notifications: 'notification',
  plans: 'plan',
  journals: 'journal',
} as const satisfies Record<ListKind, string>;

/** Kinds as kubectl takes them: singular, too, and by their short names. */
export const KINDS: ReadonlyMap<string, ListKind> = new Map(
  (
    [
      ['notifications', 'notification hibernatenotification hibernatenotifications hnotif hnote'],
      ['plans', 'plan hibernateplan hibernateplans hplan'],
      ['journals', 'journal hnotifjournal'],
    ] as const
  ).flatMap(([kind, words]) => [kind, ...words.split(' ')].map((word) => [word, kind] as const)),
);

/** A text, number or boolean; `''`: none. */
const text = (raw: unknown, ...path: readonly string[]): string => {
  const value = valueAt(raw, ...path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
};

const condition = (row: Raw, type: string): Raw =>
  objectAt(listAt(row, 'status', 'conditions').find((each) => textAt(each, 'type') === type));

const NAMESPACE: Column<Raw> = { header: 'NAMESPACE', cell: (row) => text(row, 'metadata', 'namespace') };
const NAME: Column<Raw> = { header: 'NAME', cell: (row) => text(row, 'metadata', 'name') };

const age = (header: string, now: number, path: readonly string[], wide = false): Column<Raw> => ({
  header,
  cell: (row) => ageOf(text(row, ...path), now),
  wide,
});

const READY = 'SinksReady';

/** Why deliveries that wait are not stored; undefined: they are, or it is not known. */
function notDurable(row: Raw): string | undefined {
  const durable = condition(row, 'Durable');
  return durable.status === 'False' ? `NotDurable (${text(durable, 'reason')})` : undefined;
}

/** Problems stand out. */
const byReady = (row: Raw): Colour | undefined => {
  const { status, reason } = condition(row, 'Ready');
  if (status === 'False') return 'red';
  return reason === READY && notDurable(row) === undefined ? 'green' : 'yellow';
};

/** What is wrong; `SinksReady`: nothing. */
function reasonsOf(row: Raw): string {
  const reason = text(condition(row, 'Ready'), 'reason') || 'NotObserved';
  const lost = notDurable(row);
  if (lost === undefined) return reason;
  return reason === READY ? lost : `${reason}, ${lost}`;
}

const notifications = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'READY', cell: (row) => text(condition(row, 'Ready'), 'status') || 'Unknown', colour: byReady },
  { header: 'MATCHED', cell: (row) => text(row, 'status', 'matched') || '-' },
  { header: 'WAITING', cell: (row) => text(row, 'status', 'waiting') || '-' },
  { header: 'DURABLE', cell: (row) => text(condition(row, 'Durable'), 'status'), wide: true },
  age('OBSERVED', now, ['status', 'observedAt'], true),
  age('AGE', now, ['metadata', 'creationTimestamp']),
  { header: 'REASON', cell: reasonsOf, colour: byReady },
  { header: 'MESSAGE', cell: (row) => text(condition(row, 'Ready'), 'message'), wide: true },
];

const plans = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'PHASE', cell: (row) => text(row, 'status', 'phase') || '-' },
  { header: 'OPERATION', cell: (row) => text(row, 'status', 'currentOperation') || '-' },
  { header: 'RETRIES', cell: (row) => text(row, 'status', 'retryCount') || '0' },
  age('CHANGED', now, ['status', 'lastTransitionTime']),
  age('AGE', now, ['metadata', 'creationTimestamp']),
  {
    header: 'LABELS',
    cell: (row) => {
      const labels = objectAt(row, 'metadata', 'labels');
      return Object.keys(labels)
        .map((key) => `${key}=${text(labels, key)}`)
        .join(',');
    },
    wide: true,
  },
];

const journals = (now: number): readonly Column<Raw>[] => [
  NAMESPACE,
  NAME,
  { header: 'PLANS', cell: (row) => text(row, 'spec', 'summary', 'plans') || '-' },
  { header: 'WAITING', cell: (row) => text(row, 'spec', 'summary', 'waiting') || '-' },
  { header: 'OLDEST', cell: (row) => ageOf(text(row, 'spec', 'summary', 'oldest'), now) },
  { header: 'WRITER', cell: (row) => text(row, 'spec', 'writer', 'holder'), wide: true },
  { header: 'FOR', cell: (row) => text(row, 'spec', 'summary', 'for') },
];

/** The columns of each list. */
export const LISTS: Readonly<Record<ListKind, (now: number) => readonly Column<Raw>[]>> = {
  notifications,
  plans,
  journals,
};
