import type { Command } from 'commander';
import { explain } from '../../explain/explain.ts';
import type { RecordedEvent } from '../../explain/timeline.ts';
import { requirementsOf, matches, type Requirement } from '@hnotif/core/routing';
import {
  type Condition,
  type Notification,
  type SinkEntry,
  type SinkStatus,
  suspensionAt,
} from '@hnotif/core/resources';
import { ageOf } from '../age.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { factsOf, gather, nameOf, noSuch, resolveTarget } from '../gather.ts';
import type { Io } from '../io.ts';
import { recordedEvents } from '../recorded-events.ts';
import { withSession, type Session } from '../session.ts';
import { printableLine } from '../printable.ts';
import { labelled, table, type Column } from '../table.ts';
import { findingLine } from './why.ts';

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description('Shows a notification: what it selects, the health of each sink, and its Kubernetes Events.')
    .argument('<notification>', 'its name', nameOf('notification'))
    .action(async (name: string, flags: ClusterFlags) => {
      io.exit(await withSession(flags, io, (session) => describe(session, name, io)));
    });
};

interface SinkRow {
  readonly isMuted: boolean;
  readonly entry: SinkEntry;
  readonly row: SinkStatus | undefined;
}

async function describe(session: Session, name: string, io: Io): Promise<number> {
  const gathered = await gather(session);
  resolveTarget({ kind: 'notification', name }, gathered);
  const facts = factsOf(gathered, { kind: 'notification', name }).find(
    ({ notifications }) => notifications.length > 0,
  );
  const [notification] = facts?.notifications ?? [];
  if (facts === undefined || notification === undefined)
    throw noSuch('notification', name, session.namespace, []);
  const { now, plans } = facts;
  const { findings, leader, unread } = explain(facts);
  const selected =
    typeof plans === 'string'
      ? undefined
      : plans.filter(({ labels }) => matches(notification.selector, labels)).map((plan) => plan.name);
  const events = await recordedEvents(session, notification.namespace, new Set([name]));
  const isMuted = suspensionAt(notification, now) !== undefined;
  const sinks = notification.sinks.map((entry) => ({
    isMuted,
    entry,
    row: notification.status.sinks?.find((row) => row.name === entry.name),
  }));
  io.out(fields(notification, selected, leader.message, now, io));
  io.out(`\n${table(sinkColumns(now), sinks, io)}`);
  if (findings.length > 0) io.out(`\n${findings.map((each) => `${findingLine(each, io)}\n`).join('')}`);
  if (events.ok && events.value.length > 0) io.out(`\n${table(eventColumns(now), events.value, io)}`);
  for (const why of [...unread, ...(events.ok ? [] : [events.why])])
    io.err(`not shown: ${printableLine(why)}\n`);
  return EXIT.ok;
}

function fields(
  notification: Notification,
  selected: readonly string[] | undefined,
  served: string,
  now: number,
  io: Io,
): string {
  const { name, namespace, onEvents, selector, status } = notification;
  return labelled(
    [
      ['Name', name],
      ['Namespace', namespace],
      [
        'Selector',
        requirementsOf(selector).map(requirementInWords).join(', ') || 'every plan of the namespace',
      ],
      ['Plans', selected === undefined ? 'not known' : selected.join(', ') || 'none'],
      ['Events', onEvents.join(', ')],
      ['Ready', conditionInWords(status.conditions, 'Ready')],
      ['Durable', conditionInWords(status.conditions, 'Durable')],
      ['Confirmed', status.observedAt === undefined ? 'never' : `${ageOf(status.observedAt, now)} ago`],
      ['Hnotif', served],
    ],
    io,
  );
}

function requirementInWords({ key, kind, values }: Requirement): string {
  switch (kind) {
    case 'in':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(', ')})`;
    case 'notIn':
      return `${key} not in (${values.join(', ')})`;
    case 'present':
      return `has ${key}`;
    case 'absent':
      return `has no ${key}`;
  }
}

function conditionInWords(conditions: readonly Condition[] | undefined, type: string): string {
  const found = conditions?.find((each) => each.type === type);
  return found === undefined ? 'Unknown' : `${found.status} (${found.reason}): ${found.message}`;
}

const sinkColumns = (now: number): readonly Column<SinkRow>[] => [
  { header: 'SINK', cell: ({ entry }) => entry.name },
  { header: 'TYPE', cell: ({ entry }) => entry.type },
  { header: 'SECRET', cell: ({ entry }) => entry.secretRef.name },
  {
    header: 'STATE',
    cell: ({ row, isMuted }) =>
      row?.state ?? (row?.reason !== undefined ? 'Failing' : isMuted ? 'Muted' : 'Ok'),
    colour: ({ row }) => (row?.reason === undefined ? 'green' : 'red'),
  },
  { header: 'WAITING', cell: ({ row }) => String(row?.waiting ?? 0) },
  { header: 'SUCCESS', cell: ({ row }) => ageOf(row?.lastSuccess ?? '', now) },
  { header: 'FAILURE', cell: ({ row }) => ageOf(row?.lastFailure ?? '', now) },
  { header: 'FAILED', cell: ({ row }) => String(row?.consecutiveFailures ?? 0) },
  { header: 'REASON', cell: ({ row }) => row?.reason ?? '' },
];

const eventColumns = (now: number): readonly Column<RecordedEvent>[] => [
  {
    header: 'EVENT',
    cell: ({ reason }) => reason,
    colour: ({ type }) => (type === 'Warning' ? 'yellow' : undefined),
  },
  { header: 'AGE', cell: ({ at }) => ageOf(at, now) },
  { header: 'COUNT', cell: ({ count }) => String(count) },
  { header: 'MESSAGE', cell: ({ message }) => message },
];
