import { failedInWords, parseTime } from '@hnotif/core/lifecycle';
import { hasFailed, type Night, type NotTold, type PlanNight, type PlanState } from '@hnotif/core/page';
import { isLocation } from '@hnotif/core/resources';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { askedNight, isWell, lastOfEach } from '../../explain/night.ts';
import { nightOn, timeOfDay } from '../../explain/night-window.ts';
import { durationInWords } from '../../status/words.ts';
import { addClusterFlags, allNamespacesFlag, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { checkNamespace, factsOf, gather } from '../gather.ts';
import { CommandError, type Colour, type Io } from '../io.ts';
import { withSession, type Session } from '../session.ts';
import { flag } from '../shared-flags.ts';
import { printableLine } from '../printable.ts';
import { table, type Column } from '../table.ts';
import { toJson, toYaml } from '../format.ts';

interface NightFlags extends ClusterFlags {
  readonly date?: string;
  readonly timeZone: string;
  readonly output: 'table' | 'json' | 'yaml';
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .addOption(
      new Option(
        '--last',
        'the last night, or the time since noon if the last night is empty (the default)',
      ).conflicts('date'),
    )
    .addOption(new Option('--date <date>', 'the night that began on this day, as YYYY-MM-DD').argParser(date))
    .addOption(
      flag('--time-zone <zone>', 'whose noon begins and ends a night, such as Europe/Paris')
        .argParser(timeZone)
        .default('UTC'),
    )
    .addOption(allNamespacesFlag())
    .addOption(outputFlag(['table', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: NightFlags) => {
      io.exit(await withSession(flags, io, (session) => night(session, flags, io)));
    });
};

function date(text: string): string {
  if (nightOn(text, 'UTC') !== undefined) return text;
  throw new InvalidArgumentError(
    'Give a day as YYYY-MM-DD, such as 2026-01-05: the one on which the night began.',
  );
}

function timeZone(text: string): string {
  if (isLocation(text)) return text;
  throw new InvalidArgumentError('Give a time zone such as UTC or Europe/Paris; the case counts.');
}

async function night(
  session: Session,
  { date: asked, output, timeZone: zone }: NightFlags,
  io: Io,
): Promise<number> {
  const gathered = await gather(session);
  await checkNamespace(session, gathered);
  const { journals, now, plans } = gathered;
  if (!plans.ok) throw new CommandError(plans.why, EXIT.noAccess);
  const found = askedNight(factsOf(gathered, undefined), asked, zone, now);
  if (found === undefined || (parseTime(found.from) ?? 0) > now)
    throw new CommandError(
      `the night of ${asked} has not begun; give an earlier --date, or --last`,
      EXIT.usage,
    );
  if (output === 'json') io.out(toJson(found));
  else if (output === 'yaml') io.out(toYaml([found]));
  else io.out(inWords(found, session.namespace === undefined, io));
  if (!journals.ok) io.err(`not shown: who was told; ${printableLine(journals.why)}\n`);
  return isWell(found) ? EXIT.ok : EXIT.failed;
}

function inWords(found: Night, wide: boolean, io: Io): string {
  const { date, isOver, notTold, plans, zone } = found;
  const end = isOver ? '' : '; it is not over';
  const heading = io.colour('bold', `The night of ${date}, from noon to noon (${zone})${end}`);
  if (plans.length === 0)
    return `${heading}\nNothing happened: no plan was put to sleep or woken, as far as plans and journals still know.\n`;
  const columns = columnsIn(zone);
  const options = {
    width: io.columns,
    wide,
    paint: (colour: Colour, cell: string) => io.colour(colour, cell),
  };
  const lines = [
    ...plans.flatMap((plan) => linesAbout(plan, wide, io)),
    ...notTold.map((each) => notToldLine(each, zone, wide, io)),
  ];
  return [
    heading,
    summary(found, io),
    '',
    table(columns, plans, options) + (lines.length > 0 ? `\n${lines.join('\n')}\n` : ''),
  ].join('\n');
}

/** `3 plans: 1 failed, 2 awake; 7 of 8 messages arrived` */
function summary({ plans, ...rest }: Night, io: Io): string {
  const states = [...new Set(plans.map(({ state }) => state))].map(
    (state) => `${plans.filter((plan) => plan.state === state).length} ${state}`,
  );
  const [arrived, all] = arrivedOf(plans);
  const text = `${plans.length === 1 ? '1 plan' : `${plans.length} plans`}: ${states.join(', ')}; ${
    all === 0 ? 'no messages' : `${arrived} of ${all === 1 ? '1 message' : `${all} messages`} arrived`
  }`;
  return io.colour(isWell({ plans, ...rest }) ? 'green' : 'red', text);
}

function arrivedOf(plans: readonly PlanNight[]): readonly [arrived: number, all: number] {
  const sum = (wanted: (state: string) => boolean): number =>
    plans
      .flatMap(({ deliveries }) => deliveries)
      .reduce((count, row) => count + (wanted(row.state) ? row.count : 0), 0);
  return [sum((state) => state === 'delivered'), sum((state) => state !== 'suppressed')];
}

const COLOURS: Readonly<Partial<Record<PlanState, Colour>>> = {
  failed: 'red',
  incomplete: 'red',
  missing: 'yellow',
  running: 'yellow',
};

const columnsIn = (zone: string): readonly Column<PlanNight>[] => [
  { header: 'NAMESPACE', cell: ({ namespace }) => namespace, wide: true },
  { header: 'PLAN', cell: ({ plan }) => plan },
  { header: 'STATE', cell: ({ state }) => state, colour: ({ state }) => COLOURS[state] },
  { header: 'SLEEP', cell: (plan) => runCell(plan, 'shutdown', zone) },
  { header: 'WAKE', cell: (plan) => runCell(plan, 'wakeup', zone) },
  {
    header: 'TOLD',
    cell: (plan) => {
      const [arrived, all] = arrivedOf([plan]);
      return all === 0 ? '-' : `${arrived} of ${all}`;
    },
  },
  { header: 'DIFFERENT', cell: ({ differences }) => differences.map(({ kind }) => kind).join(', ') },
];

/** `20:00, 14 min`, `20:00, failed after 5 min` */
function runCell({ runs }: PlanNight, operation: string, zone: string): string {
  const run = runs.findLast((each) => each.operation === operation);
  if (run === undefined) return '-';
  const { began, retries, seconds = 0, state } = run;
  const took =
    seconds === 0 ? '' : `${state === 'failed' ? 'after ' : ''}${durationInWords(1_000 * seconds)}`;
  const words = [...(state === 'completed' ? [] : [state]), ...(took === '' ? [] : [took])].join(' ');
  const again = retries === 0 ? '' : `, ${retries === 1 ? '1 retry' : `${retries} retries`}`;
  return `${timeOfDay(parseTime(began) ?? 0, zone)}${words === '' ? '' : `, ${words}`}${again}`;
}

/** Why a plan failed, what was different, and who was not asked to be told. */
function linesAbout(night: PlanNight, wide: boolean, io: Io): readonly string[] {
  const { differences, notifications, plan, runs, state, withoutFailure } = night;
  const name = wide ? `${night.namespace}/${plan}` : plan;
  const line = (colour: Colour, word: string, text: string): string =>
    `${io.colour(colour, word)} ${printableLine(text)}`;
  return [
    ...lastOfEach(runs)
      .filter((run) => hasFailed(run.state))
      .map(({ error = '', failed, operation }) => {
        const targets = failed === undefined ? [] : [`failed: ${failedInWords(failed, error)}`];
        return line(
          'red',
          'error',
          `${name}: ${operation}: ${[...(error === '' ? [] : [error]), ...targets].join('; ') || 'it does not say why'}`,
        );
      }),
    ...differences
      .filter(({ kind }) => kind !== 'newly failed')
      .map(({ kind, message }) => line('yellow', kind === 'missing' ? kind : 'slow', `${name} ${message}`)),
    ...(notifications.length === 0
      ? [line('dim', 'note', `${name}: no notification selects it, so nobody was told`)]
      : hasFailed(state) && withoutFailure.length > 0
        ? [line('dim', 'note', `${name}: Failure is not in onEvents of ${withoutFailure.join(', ')}`)]
        : []),
  ];
}

function notToldLine(each: NotTold, zone: string, wide: boolean, io: Io): string {
  const { count, event, id, isProblem, namespace, notification, plans, sink, state, why } = each;
  const [plan = ''] = plans;
  const of = plans.length === 1 ? plan : `${plan} and ${plans.length - 1} more plans`;
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  const since = timeOfDay(parseTime(each.since) ?? 0, zone);
  const again = count === 1 && id !== '' ? id : plans.length === 1 ? plan : 'PLAN';
  const [are, them] = count === 1 ? ['it is', 'it'] : ['they are', 'them'];
  const remedy =
    state === 'waiting'
      ? isProblem
        ? 'hnotif why says what to do'
        : `${are} on the way`
      : isProblem
        ? `hnotif replay ${again} sends ${them} again`
        : 'as configured';
  const how = state === 'waiting' ? '' : `${state} `;
  const text = `${wide ? `${namespace}/` : ''}${notification}/${sink}: ${event}${more} of ${of} at ${since}: ${how}${why === '' ? '' : `(${why})`}; ${remedy}`;
  const word = state === 'waiting' ? 'waits' : 'not told';
  return `${io.colour(isProblem ? 'red' : 'dim', word)} ${printableLine(text).replace(': ;', ';')}`;
}

const DESCRIPTION = [
  'Says what happened last night: which plans fell asleep, woke up or failed, when, how long it took and why; who was told and who was not; and what was different from the night before. A night lasts from noon to noon. It reads plans and journals with your rights, and works when no hnotif runs. Times are in UTC, or in --time-zone.',
  'Exits with 1 if a plan failed, or a message did not arrive.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif night                                       the last night in the namespace
  hnotif night -A --time-zone Europe/Paris -o json   of all namespaces, for a morning check
  hnotif night --date 2026-01-05                     the night that began on 5 January`;
