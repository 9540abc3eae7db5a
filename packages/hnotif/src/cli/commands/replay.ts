import { setTimeout } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { formatSeconds, formatTime } from '@hnotif/core/lifecycle';
import {
  parseNotification,
  EVENT_ID,
  REPLAY_ANNOTATION,
  REPLAY_RESULTS,
  type ReplayRow,
  type ReplayStatus,
} from '@hnotif/core/resources';
import { addClusterFlags, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { seconds } from '../durations.ts';
import { EXIT } from '../exit.ts';
import { gather, nameOf, parsed } from '../gather.ts';
import { CommandError, type Io } from '../io.ts';
import { toJson, toYaml } from '../format.ts';
import { planOrEvent } from '../plan-or-event.ts';
import { printableLine } from '../printable.ts';
import { notificationsToReplay, type ReplayChoice } from '../replay-choice.ts';
import { withSession, type Session } from '../session.ts';
import { table, type Column } from '../table.ts';
import { eventId, objectName } from '../values.ts';

interface ReplayFlags extends ClusterFlags, ReplayChoice {
  readonly id?: string;
  readonly failed?: true;
  /** Milliseconds. */
  readonly since?: number;
  readonly dryRun?: true;
  readonly output: 'table' | 'json' | 'yaml';
}

/** The length of a whole id, as receivers get it. */
const WHOLE_ID = 52;
/** The leader answers within a second, if it has not just written this status (milliseconds). */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 250;

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('<plan|id>', 'a plan, or the id of a message (webhook-id) or an event', nameOf('plan'))
    .addOption(new Option('--notification <name>', 'only of this notification').argParser(objectName))
    .option('--sink <name>', 'only to this sink')
    .addOption(new Option('--id <id>', 'only the message or event with this id').argParser(eventId))
    .addOption(new Option('--failed', 'what failed or was dropped (the default)').conflicts('all'))
    .option('--all', 'also what arrived')
    .addOption(
      new Option('--since <duration>', 'only what ended in this time, such as 2h').argParser(seconds),
    )
    .option('--dry-run', 'say what would be sent, and send nothing')
    .addOption(outputFlag(['table', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: ReplayFlags) => {
      io.exit(await withSession(flags, io, (session) => replay(session, name, flags, io)));
    });
};

interface Answered {
  readonly notification: string;
  readonly answer: ReplayStatus;
}

async function replay(session: Session, wanted: string, flags: ReplayFlags, io: Io): Promise<number> {
  const { namespace } = session;
  if (namespace === undefined) throw new CommandError('give a namespace', EXIT.usage);
  const gathered = await gather(session);
  const { leaders, now, plans } = gathered;
  const isId = wanted.length === WHOLE_ID && EVENT_ID.test(wanted);
  if (!plans.ok && (isId || flags.notification === undefined)) {
    const remedy = isId
      ? `give the plan, which the message names, too: hnotif replay PLAN --id ${wanted} --notification NAME`
      : 'give --notification, and hnotif looks the plan up';
    throw new CommandError(`${plans.why}; or ${remedy}`, EXIT.noAccess);
  }
  const found = plans.ok ? planOrEvent(wanted, plans.value, gathered, flags.id) : undefined;
  const name = found?.plan.name ?? wanted;
  const id = found?.id ?? flags.id;
  const asked = notificationsToReplay(name, found, gathered, flags, io);
  const request = JSON.stringify({
    at: formatTime(now),
    plan: name,
    ...(flags.sink !== undefined && { sink: flags.sink }),
    ...(id !== undefined && { id }),
    ...(flags.all === true && { all: true }),
    ...(flags.since !== undefined && { since: formatSeconds(now - flags.since) }),
    ...(flags.dryRun === true && { dryRun: true }),
  });
  const metadata = { annotations: { [REPLAY_ANNOTATION]: request } };
  for (const each of asked) await session.patch(session.notifications, namespace, each.name, { metadata });
  const leader = leaders.in(namespace);
  if (leader.state === 'inactive')
    throw new CommandError(
      `${printableLine(leader.message)}; the request stays: the next hnotif that serves carries it out`,
    );
  const answers: Answered[] = [];
  for (const { name: notification } of asked)
    answers.push({ notification, answer: await answerOf(session, namespace, notification, request, io) });
  return print(answers, name, flags, io);
}

/** Waits until the leader has answered. */
async function answerOf(
  session: Session,
  namespace: string,
  name: string,
  request: string,
  { clock, signal }: Io,
): Promise<ReplayStatus> {
  const end = clock.monotonic() + PATIENCE_MS;
  while (!signal.aborted && clock.monotonic() < end) {
    const found = await session.get(session.notifications, namespace, name);
    if (found === undefined) throw new CommandError(`notification ${name} was deleted meanwhile`);
    const [notification] = parsed([found], parseNotification, (why) => {
      throw new CommandError(why.message);
    });
    const replay = notification?.status.replay;
    if (replay?.request === request) return replay;
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  throw new CommandError(
    `no hnotif has answered for ${name} yet; the request stays, and the next one that serves carries it out: hnotif why ${name} says who serves, and status.replay has the answer`,
  );
}

interface Row extends ReplayRow {
  readonly notification: string;
}

function print(
  answers: readonly Answered[],
  plan: string,
  { all, dryRun, output }: ReplayFlags,
  io: Io,
): number {
  const rows = answers.flatMap(({ notification, answer }) =>
    (answer.deliveries ?? []).map((row): Row => ({ notification, ...row })),
  );
  const refusals = answers.filter(({ answer }) => answer.deliveries === undefined);
  if (output === 'json') io.out(toJson(answers));
  else if (output === 'yaml') io.out(toYaml([{ answers }]));
  else {
    if (rows.length > 0) io.out(table(COLUMNS, rows, io));
    for (const result of new Set(rows.map((row) => row.result)))
      if (result !== 'Sent') io.out(`${result}: ${REPLAY_RESULTS[result]}\n`);
  }
  const sent = answers.reduce((sum, { answer }) => sum + answer.sent, 0);
  // Most notifications of a plan have lost nothing.
  const shown =
    rows.length === 0 ? refusals : refusals.filter(({ answer }) => answer.reason !== 'NothingToReplay');
  const nothing = all === true ? 'no delivery of plan' : 'nothing failed or was dropped of plan';
  if (shown.length > 0 && shown.every(({ answer }) => answer.reason === 'NothingToReplay'))
    io.err(`error: ${nothing} ${plan}, as far as its journal knows; see hnotif trace ${plan}\n`);
  else
    for (const { notification, answer } of shown)
      io.err(`error: ${notification}: ${printableLine(answer.message)}\n`);
  if (output === 'table' && sent > 0)
    io.out(
      `${sent === 1 ? '1 delivery is' : `${sent} deliveries are`} sent again; hnotif why plan/${plan} follows them\n`,
    );
  else if (output === 'table' && dryRun === true && rows.length > 0) io.out('a dry run: nothing was sent\n');
  return shown.length === 0 && !rows.some(isLost) ? EXIT.ok : EXIT.failed;
}

const isLost = ({ result }: Row): boolean => result === 'NotDerivable' || result === 'NotListed';

const COLUMNS: readonly Column<Row>[] = [
  { header: 'SINK', cell: ({ notification, sink }) => `${notification}/${sink}` },
  { header: 'EVENT', cell: ({ count, events }) => `${events}${count === 1 ? '' : ` (${count})`}` },
  { header: 'ENDED', cell: ({ endedAt }) => endedAt },
  { header: 'WAS', cell: ({ was }) => was },
  { header: 'NOW', cell: ({ result }) => result, colour: (row) => (isLost(row) ? 'red' : 'green') },
];

const DESCRIPTION = [
  'Sends deliveries of a plan, or of one event, again that failed, became too old or were dropped: under the same ids, at least once, through the same limits. The messages are made anew from what the plan’s status still tells; what it does not tell any more is said, and not sent.',
  `It writes the annotation ${REPLAY_ANNOTATION} of the notifications, for which you need the right to patch them. The hnotif that serves carries it out and answers in status.replay. Exits with 1 if something cannot be sent again.`,
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif replay storefront -n shop
  hnotif replay storefront --notification night-ops --sink pager --since 2h
  hnotif replay storefront --all --dry-run
  hnotif replay k2sj4xq6d7wa     one event, by its id in hnotif trace; or one message, by its webhook-id`;
