import {
  answerInWords,
  type DeliveryRequest,
  type DeliveryRow,
  type EventStory,
  type Moment,
  numbered,
  requestsOf,
  requestsTo,
  waitInWords,
  withRequests,
} from '@hnotif/core/page';
import type { Command } from 'commander';
import { eventStory, others } from '../../explain/event-story.ts';
import { failedInWords } from '@hnotif/core/lifecycle';
import { durationInWords } from '../../status/words.ts';
import { addClusterFlags, allNamespacesFlag, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { STATE_COLOURS } from '../delivery-colours.ts';
import { EXIT } from '../exit.ts';
import { gather, nameOf } from '../gather.ts';
import { CommandError, type Colour, type Io } from '../io.ts';
import { planOrEvent } from '../plan-or-event.ts';
import { momentsOf } from '../recorded-events.ts';
import { withSession, type Session } from '../session.ts';
import { printableLine } from '../printable.ts';
import { labelled, table, type Column } from '../table.ts';
import { toJson, toYaml } from '../format.ts';

interface TraceFlags extends ClusterFlags {
  readonly output: 'table' | 'json' | 'yaml';
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('<plan|id>', 'a plan, or the id of a message (webhook-id) or an event', nameOf('plan'))
    .addOption(allNamespacesFlag())
    .addOption(outputFlag(['table', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: TraceFlags) => {
      io.exit(await withSession(flags, io, (session) => trace(session, name, flags, io)));
    });
};

/** A table shows this many moments before an event, and as many after it. */
const AROUND = 5;

async function trace(session: Session, name: string, { output }: TraceFlags, io: Io): Promise<number> {
  const gathered = await gather(session);
  const { journals, plans } = gathered;
  if (!plans.ok) throw new CommandError(plans.why, EXIT.noAccess);
  const { plan, all, deliveries, delivery, id } = planOrEvent(name, plans.value, gathered);
  const isEvent = id !== undefined;
  const shown = isEvent ? others(all, deliveries) : deliveries;
  const { moments, recorded } = await momentsOf(session, plan, gathered.notifications, shown);
  const story = isEvent ? eventStory(plan, delivery ? [delivery] : deliveries, moments) : undefined;
  if (output === 'json') io.out(toJson(story ?? moments));
  else if (output === 'yaml') io.out(toYaml([story ?? { moments }]));
  else {
    const around = story && [...story.before.slice(-AROUND), ...story.after.slice(0, AROUND)];
    if (story !== undefined) io.out(`${fields(story, io)}\n${table(DELIVERY, story.deliveries, io)}\n`);
    for (const row of withRequests(story?.deliveries ?? []))
      io.out(
        `${io.colour('bold', `${requestsTo(row)}:`)}\n${table(REQUEST, numbered(row.requests ?? []), io)}\n`,
      );
    if (around !== undefined && around.length > 0) io.out(`${io.colour('bold', 'Before and after:')}\n`);
    if (story === undefined || around?.length !== 0) io.out(table(COLUMNS, around ?? moments, io));
    for (const read of [journals, recorded]) if (!read.ok) io.err(`not shown: ${printableLine(read.why)}\n`);
  }
  return EXIT.ok;
}

/** What was true at the event. */
function fields({ event, facts, id, namespace, plan }: EventStory, io: Io): string {
  const { error, failed, operation = '', phase = '', time = '', took } = facts ?? {};
  const after = took === undefined || took === 0 ? '' : `, after ${durationInWords(1_000 * took)}`;
  return labelled(
    [
      ['Event', `${event} of plan ${namespace}/${plan}`, 'bold'],
      ['Id', id],
      ['Time', time],
      ['Operation', operation === '' ? '' : `${operation}${after}`],
      ['Phase', phase],
      ['Error', error ?? '', 'red'],
      ['Failed', failed === undefined ? '' : failedInWords(failed, error), 'red'],
    ],
    io,
  );
}

const DELIVERY: readonly Column<DeliveryRow>[] = [
  { header: 'SINK', cell: ({ notification, sink }) => `${notification}/${sink}` },
  { header: 'STATE', cell: ({ state }) => state, colour: ({ state }) => STATE_COLOURS[state] },
  { header: 'AT', cell: ({ at }) => at },
  { header: 'REQUESTS', cell: (row) => String(requestsOf(row) ?? '') },
  { header: 'MESSAGE', cell: ({ message = '' }) => message.slice(0, ID) },
  { header: 'WHY', cell: ({ why }) => why },
];

const REQUEST: readonly Column<readonly [number, DeliveryRequest]>[] = [
  { header: 'NUMBER', cell: ([number]) => String(number) },
  { header: 'SENT', cell: ([, { at }]) => at },
  { header: 'TOOK', cell: ([, { tookMs }]) => shortTime(tookMs) },
  {
    header: 'ANSWER',
    cell: ([, attempt]) => answerInWords(attempt),
    colour: ([, { reason }]) => (reason === undefined ? undefined : 'red'),
  },
  { header: 'THEN', cell: ([, attempt]) => waitInWords(attempt, shortTime) },
];

/** `12 ms`, `2.0 s`, `14 min` */
function shortTime(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : durationInWords(ms);
}

const COLOUR_OF: Readonly<Record<Moment['source'], Colour | undefined>> = {
  plan: 'bold',
  delivery: undefined,
  event: 'dim',
};

/** A terminal cuts the last column; so much of an id is enough for replay and trace. */
const ID = 12;

const COLUMNS: readonly Column<Moment>[] = [
  { header: 'TIME', cell: ({ at }) => at },
  { header: 'ABOUT', cell: ({ about }) => about, colour: ({ source }) => COLOUR_OF[source] },
  { header: 'ID', cell: ({ ids = [] }) => (ids.length === 1 ? ids.join('').slice(0, ID) : '') },
  { header: 'WHAT', cell: ({ what }) => what },
];

const DESCRIPTION =
  'Shows what happened to a plan and its events, in order: changes of the plan, deliveries from the journal (those of the last nights, the last twenty of progress and phase changes, and all that wait), Kubernetes Events of its notifications. With the id of an event or of a message it shows that event: why the plan failed then, its deliveries, and what came before and after. Times are in UTC.';

const EXAMPLES = `
Examples:
  hnotif trace storefront          all that is known of a plan
  hnotif trace ksc3lnpl3cy2 -A     one event: by its id in the log, a span or hnotif trace, or by the webhook-id of a message`;
