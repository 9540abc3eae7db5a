import type { Explanation, Finding, Severity } from '@hnotif/core/page';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { explain, hasError } from '../../explain/explain.ts';
import { deliveryGroups, type DeliveryGroup } from '../../explain/delivery-groups.ts';
import { parseTime } from '@hnotif/core/lifecycle';
import { addClusterFlags, allNamespacesFlag, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { STATE_COLOURS } from '../delivery-colours.ts';
import { EXIT } from '../exit.ts';
import type { Target } from '../facts.ts';
import { checkNamespace, ELSEWHERE, factsOf, gather, parseTarget, resolveTarget } from '../gather.ts';
import { CommandError, type Colour, type Io } from '../io.ts';
import { withSession, type Session } from '../session.ts';
import { printableLine } from '../printable.ts';
import { table, type Column } from '../table.ts';
import { toJson, toYaml } from '../format.ts';

interface WhyFlags extends ClusterFlags {
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
  readonly watch: boolean;
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('[name]', 'a plan or a notification; plan/NAME or notification/NAME if both have the name')
    .addOption(allNamespacesFlag())
    .addOption(outputFlag(['table', 'wide', 'json', 'yaml']))
    .option('-w, --watch', 'print it again whenever it changes, until Ctrl-C', false)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: WhyFlags) => {
      const target = name === undefined ? undefined : parseTarget(name);
      io.exit(await withSession(flags, io, (session) => why(session, target, flags, io)));
    });
};

/** Between two looks of `--watch` (milliseconds). */
const LOOK_MS = 1_000;

async function why(
  session: Session,
  target: Target | undefined,
  { output, watch }: WhyFlags,
  io: Io,
): Promise<number> {
  let printed = '';
  let trouble = '';
  let exit: number = EXIT.ok;
  for (;;) {
    try {
      const { found, isEmpty } = await explained(session, target);
      const text = shown(found, isEmpty, target, output, io);
      const compared = watch ? withoutAges(found) : text;
      if (compared !== printed) io.out(printed === '' ? text : `\n${text}`);
      printed = compared;
      trouble = '';
      exit = found.some(hasError) ? EXIT.failed : EXIT.ok;
    } catch (error) {
      // After the first answer, the API server may be away for a while. Ctrl-C aborts a request, too.
      if (printed === '' || !(error instanceof CommandError)) throw error;
      if (!io.signal.aborted && error.message !== trouble) io.err(`error: ${error.message}\n`);
      trouble = error.message;
    }
    // A timer that keeps the process alive.
    if (watch) await setTimeout(LOOK_MS, undefined, { signal: io.signal }).catch(() => undefined);
    if (!watch || io.signal.aborted) return exit;
  }
}

/** What `--watch` compares: that time passes is no change (`last heard 1 s ago`, `next try in 40 s`). */
export const withoutAges = (found: readonly Explanation[]): string =>
  toJson(found).replaceAll(/\b\d+ (?:s|min|h)\b/g, '');

interface Explained {
  readonly found: readonly Explanation[];
  /** There is no notification to explain. */
  readonly isEmpty: boolean;
}

async function explained(session: Session, target: Target | undefined): Promise<Explained> {
  const gathered = await gather(session);
  await checkNamespace(session, gathered);
  const facts = factsOf(gathered, target && resolveTarget(target, gathered));
  const { invalid, leaders, notifications } = gathered;
  const found = facts.map(explain);
  if (found.length === 0)
    found.push({
      ...{ namespace: session.namespace ?? '', leader: leaders.worst },
      ...{ findings: [], deliveries: [], unread: [] },
    });
  return { found, isEmpty: notifications.length === 0 && invalid.length === 0 };
}

function shown(
  found: readonly Explanation[],
  isEmpty: boolean,
  target: Target | undefined,
  output: WhyFlags['output'],
  io: Io,
): string {
  if (output === 'json') return toJson(found);
  if (output === 'yaml') return toYaml([{ explanations: found }]);
  return found
    .map((each) => inWords(each, isEmpty, target, found.length > 1, output === 'wide', io))
    .join('\n');
}

function inWords(
  { namespace, leader, findings, deliveries, unread }: Explanation,
  isEmpty: boolean,
  target: Target | undefined,
  several: boolean,
  wide: boolean,
  io: Io,
): string {
  const served = printableLine(leader.message);
  const lines = [
    ...(several ? [io.colour('bold', `namespace ${printableLine(namespace)}`)] : []),
    leader.state === 'inactive' ? io.colour('red', served) : served,
    ...findings.map((finding) => findingLine(finding, io)),
  ];
  if (isEmpty) lines.push(`there are no notifications; ${ELSEWHERE}`);
  else if (findings.length === 0 && leader.state !== 'inactive')
    lines.push(io.colour('green', 'nothing is wrong with the notifications'));
  const text = `${lines.join('\n')}\n`;
  const rows =
    target === undefined && !wide ? deliveries.filter(({ state }) => state !== 'delivered') : deliveries;
  const tables = rows.length === 0 ? '' : `\n${table(COLUMNS, deliveryGroups(rows), io, wide)}`;
  const notes = unread.map((sentence) => `not shown: ${printableLine(sentence)}\n`);
  return `${text}${tables}${notes.join('')}`;
}

const COLOUR_OF: Readonly<Record<Severity, Colour>> = {
  error: 'red',
  waiting: 'yellow',
  warning: 'yellow',
  note: 'dim',
};

export function findingLine({ severity, notification, sink, reason, message }: Finding, io: Io): string {
  const about = sink === '' ? notification : `${notification}/${sink}`;
  return `${io.colour(COLOUR_OF[severity], severity)} ${printableLine(`${about}: ${message} (${reason})`)}`;
}

/** The time of day in UTC, as journals have it; the date where it is not today's is in `-o wide`. */
const timeOf = (at: string): string => (parseTime(at) === undefined ? at : at.slice(11, 19));

const COLUMNS: readonly Column<DeliveryGroup>[] = [
  {
    header: 'PLAN',
    cell: ({ oldest, plans }) => (plans.length === 1 ? oldest.plan : `${plans.length} plans`),
  },
  { header: '#', cell: ({ oldest, plans }) => (plans.length === 1 ? String(oldest.seq) : '') },
  {
    header: 'EVENT',
    cell: ({ oldest, count }) => `${oldest.event}${count === 1 ? '' : ` and ${count - 1} more`}`,
  },
  { header: 'SINK', cell: ({ oldest }) => `${oldest.notification}/${oldest.sink}` },
  {
    header: 'STATE',
    cell: ({ oldest }) => oldest.state,
    colour: ({ oldest }) => STATE_COLOURS[oldest.state],
  },
  { header: 'TIME', cell: ({ oldest }) => timeOf(oldest.at) },
  { header: 'AT', cell: ({ oldest }) => oldest.at, wide: true },
  { header: 'WHY', cell: ({ oldest }) => oldest.why },
];

const DESCRIPTION = [
  'Answers "where is my notification?": who serves, what is wrong and what to do, and what became of each recent event at each sink. It reads journals, statuses and the Lease with your rights, and works when no hnotif runs. Times are in UTC.',
  'Exits with 1 if something needs a correction.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif why                       everything in the namespace that is not as it should be
  hnotif why plan/storefront       each recent event of a plan, at each sink
  hnotif why night-ops -n shop -w  follow a notification`;
