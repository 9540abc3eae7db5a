import { systemClock } from '@hnotif/core/clock';
import { readSink } from '@hnotif/core/sinks';
import { sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { Transport } from '../../../../hnotif/src/transport/client.ts';
import { partByPart, type Scenario } from '../../scenario.ts';
import { cellsOf, echoesOf, type Cell } from './cells.ts';
import { misconfigured } from './misconfigured.ts';
import { BOARD_MODES, MODES, type Mode } from './modes.ts';
import { names } from './names.ts';
import { NOTICE_CAUSES, noticed, NOTICE_TEMPLATES, throttled } from './notices.ts';
import { CAUSES, FAILURE_REASONS, receiverOf, type Outcome } from './outcomes.ts';
import { Stage, type Wave } from './stage.ts';
import { missing } from './surfaces.ts';

/** An answer of the resolver is believed for so long (milliseconds). */
const BELIEVED_MS = 5_000;

/** Plays waves that meet the same. */
async function play(stage: Stage, waves: readonly Wave[]): Promise<void> {
  const cause = waves[0]?.cells[0]?.cause;
  stage.cause = cause;
  // What the resolver said in the phase before is believed no more.
  stage.clock.turn(BELIEVED_MS);
  if (cause?.resolving !== undefined) names.resolving = cause.resolving;
  // Threads wait for a while after an unclear answer; the others need not wait for them.
  const inThread = ({ cells: [cell] }: Wave): boolean => cell?.mode.answers.startsWith('thread') === true;
  await Promise.all(
    [true, false].map(async (isThread) => {
      for (const wave of waves) if (inThread(wave) === isThread) await stage.fire(wave);
    }),
  );
  stage.cause = undefined;
  names.reset();
}

/** On a busy machine a turn of the clock may end a request that was to end otherwise: then once more. */
const MOST_ROUNDS = 4;

/** Plays all cells. Each surface must show them, and no surface may show a credential. Resolves with the faults. */
async function playAll(stage: Stage, cells: readonly Cell[]): Promise<readonly string[]> {
  const causes = [...new Set(cells.map(({ cause }) => cause))];
  // The last phase is the one in which receivers hang: later requests wait for its connections.
  causes.sort((a, b) => Number(a?.turns === true) - Number(b?.turns === true));
  const phases: Wave[][] = [];
  for (const cause of causes) {
    const all = cells.filter((cell) => cell.cause === cause);
    const [alone, together] = [true, false].map((isAlone) => all.filter((cell) => cell.isAlone === isAlone));
    phases.push([
      ...(await Promise.all((alone ?? []).map((cell) => stage.prepare([cell])))).flat(),
      ...(await stage.prepare(together ?? [])),
    ]);
  }
  await stage.begin();
  let open = cells.map(({ id }) => ({ id, what: 'all' }));
  for (let round = 1; round <= MOST_ROUNDS && open.length > 0; round++) {
    const ids = new Set(open.map(({ id }) => id));
    for (const waves of phases)
      await play(
        stage,
        waves.filter((wave) => wave.cells.some(({ id }) => ids.has(id))),
      );
    await stage.look();
    await stage.calm(() => (open = missing(stage.shown, cells)).length === 0);
  }
  const isWell = /healthz check passed[^]*readyz check passed/.test(stage.shown.of('health').join(''));
  return [
    ...stage.shown.leaks(),
    ...(isWell ? [] : ['the health pages were not seen']),
    ...open.map(({ id, what }) => `not seen: ${id}, ${what}`),
  ];
}

const notAnswered = (name: string, reason: string): Outcome => ({
  ...{ name, reason },
  answer: () => ({ kind: 'hang' }),
});

const modeOf = (name: string): Mode => {
  const mode = MODES.find((each) => each.name === name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
};

/** Of those that are no configuration, one in so many is looked at on all surfaces; each of the others is by itself. */
const ONE_IN = 37;

/** Some of all the configurations with which nothing can be sent. */
async function misconfiguredCells(port: number): Promise<Cell[]> {
  const transport = new Transport({ allowInsecureHttp: true });
  const settings = sinkSettings({ transport, clock: systemClock });
  const bad = misconfigured(port).filter(({ type, text }) => !readSink(type, text, settings).ok);
  await transport.close();
  return bad
    .filter((_, index) => index % ONE_IN === 0)
    .flatMap(({ name, text }) => {
      const mode = modeOf(name.split(': ')[0] ?? '');
      return cellsOf(mode, [notAnswered(name, 'ConfigInvalid')], port, { text });
    });
}

/** One for each reason for which a message arrives otherwise than was wished. */
const noticeCells = (port: number): Cell[] =>
  Object.entries(NOTICE_CAUSES).flatMap(([reason, cause]) => {
    if (typeof cause === 'string') return [];
    const { template: _, ...mode } = modeOf(cause.mode);
    const key = cause.key ?? (cause.template === undefined ? undefined : reason);
    const named = { ...mode, ...(key !== undefined && { template: key }) };
    return cellsOf(named, [noticed(reason, cause, named)], port, { isAlone: true });
  });

/** Every row of every sink's table. */
const answerCells = (port: number): Cell[] =>
  [...MODES, ...BOARD_MODES].flatMap((mode) => cellsOf(mode, receiverOf(mode).outcomes, port));

/** Each failure of the transport that can be caused here, in each mode. */
const failureCells = (port: number, reasons = FAILURE_REASONS): Cell[] =>
  reasons.flatMap((reason) => {
    const cause = CAUSES[reason];
    if (typeof cause === 'string') return [];
    return MODES.flatMap((mode) => cellsOf(mode, [notAnswered('no answer', reason)], port, { cause }));
  });

const pauseCells = (port: number): Cell[] => MODES.flatMap((mode) => cellsOf(mode, [throttled(mode)], port));

/** One in eight, beginning at another place each time. */
const some = <T>(all: readonly T[], from: number): readonly T[] => all.filter((_, at) => at % 8 === from % 8);

/** Each credential of each mode must have been echoed in each form; and a journal has had a night. */
function allEchoed(stage: Stage, cells: readonly Cell[]): string[] {
  const of = ({ mode }: Cell, what: string): string => `${mode.name}: ${what}`;
  const echoed = new Set(cells.flatMap((cell) => cell.echoes.map((what) => of(cell, what))));
  const wanted = new Set(
    cells.flatMap((cell) => echoesOf(cell.configured).map(({ what }) => of(cell, what))),
  );
  const never = [...wanted].filter((what) => !echoed.has(what));
  const hasNights = /"nights\W+\d+\W+\d{4}-/.test(stage.shown.of('journals').join(''));
  return [
    ...(hasNights ? [] : ['no night was seen in a journal']),
    ...never.map((what) => `never echoed: ${what}`),
  ];
}

interface Part {
  readonly sentence: string;
  /** What is played, with receivers at this port. */
  readonly cells: (port: number) => readonly Cell[] | Promise<readonly Cell[]>;
  /** What is wrong besides. */
  readonly check?: (stage: Stage, cells: readonly Cell[]) => readonly string[];
}

const PARTS: Readonly<Record<string, Part>> = {
  sample: {
    sentence: 'in some of all the others, in seconds',
    cells: async (port) => [
      ...noticeCells(port),
      ...MODES.flatMap((mode, at) => cellsOf(mode, some(receiverOf(mode).outcomes, at), port)),
      ...pauseCells(port),
      ...some(await misconfiguredCells(port), 0),
      ...failureCells(port, ['BadAnswer']),
    ],
  },
  answers: { sentence: 'with any answer of a receiver', cells: answerCells, check: allEchoed },
  failures: { sentence: 'with any failure of a receiver', cells: failureCells },
  wrong: {
    sentence: 'with a wrong configuration, a degraded message, or a pause that a receiver requests',
    cells: async (port) => [...noticeCells(port), ...pauseCells(port), ...(await misconfiguredCells(port))],
  },
};

const SENTENCES = Object.fromEntries(
  Object.entries(PARTS).map(([name, { sentence }]) => [name, `no credential shows ${sentence}`]),
);

async function leaksIn(name: string): Promise<readonly string[]> {
  const { cells: made, check } = PARTS[name] ?? { cells: () => [] };
  const stage = await Stage.start();
  try {
    await stage.world.templates('texts', { good: '{{ .Plan.Name }}', ...NOTICE_TEMPLATES });
    const cells = await made(stage.port);
    return [...(await playAll(stage, cells)), ...(check?.(stage, cells) ?? [])];
  } finally {
    await stage.world.close();
  }
}

export const redaction: Scenario = {
  name: 'redaction',
  about:
    'no credential shows in the log, metrics, statuses, Events, journals and health, whatever a receiver echoes',
  names: { what: 'PART', all: SENTENCES },
  run: (given) => partByPart(given, SENTENCES, leaksIn),
};
