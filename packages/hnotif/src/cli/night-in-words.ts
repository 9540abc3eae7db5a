import { failedInWords, parseTime } from '@hnotif/core/lifecycle';
import { hasFailed, type Night, type NotTold, type PlanNight, type PlanState } from '@hnotif/core/page';
import { isWell, lastOfEach } from '../explain/night.ts';
import { timeOfDay } from '../explain/night-window.ts';
import { durationInWords } from '../status/words.ts';
import { counted } from './format.ts';
import type { Colour, Io } from './io.ts';
import { printableLine } from './printable.ts';
import { table, type Column } from './table.ts';

/** A night as people read it: a heading, a table of the plans, and what they have to know. `wide`: with namespaces. */
export function nightInWords(found: Night, wide: boolean, io: Io): string {
  const { date, isOver, notTold, plans, zone } = found;
  const end = isOver ? '' : '; it is not over';
  const heading = io.colour('bold', `The night of ${date}, from noon to noon (${zone})${end}`);
  if (plans.length === 0)
    return `${heading}\nNothing happened: no plan was put to sleep or woken, as far as plans and journals still know.\n`;
  const lines = [
    ...plans.flatMap((plan) => linesAbout(plan, wide, io)),
    ...notTold.map((each) => notToldLine(each, zone, wide, io)),
  ];
  return [
    heading,
    summary(found, io),
    '',
    table(columnsIn(zone), plans, io, wide) + (lines.length > 0 ? `\n${lines.join('\n')}\n` : ''),
  ].join('\n');
}

/** `3 plans: 1 failed, 2 awake; 7 of 8 messages arrived` */
function summary({ plans, ...rest }: Night, io: Io): string {
  const states = [...new Set(plans.map(({ state }) => state))].map(
    (state) => `${plans.filter((plan) => plan.state === state).length} ${state}`,
  );
  const [arrived, all] = arrivedOf(plans);
  const text = `${counted(plans.length, 'plan')}: ${states.join(', ')}; ${
    all === 0 ? 'no messages' : `${arrived} of ${counted(all, 'message')} arrived`
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
