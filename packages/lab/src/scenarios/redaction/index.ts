import { systemClock } from '@hnotif/core/clock';
import { readSink } from '@hnotif/core/sinks';
import { sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { Transport } from '../../../../hnotif/src/transport/client.ts';
import { verdict, type Scenario } from '../../scenario.ts';
import { answerCells, cellsOf, echoesOf, type Cell } from './cells.ts';
import { misconfigured } from './misconfigured.ts';
import { MODES, type Mode } from './modes.ts';
import { names } from './names.ts';
import { NOTICE_CAUSES, noticed, throttled } from './notices.ts';
import { CAUSES, FAILURE_REASONS, receiverOf, type Cause, type Outcome } from './outcomes.ts';
import { Stage, type Wave } from './stage.ts';
import { missing } from './surfaces.ts';

/** Sinks that meet the same, and how it is brought about; undefined: each receiver answers as its cell says. */
interface Phase {
  readonly cause: Cause | undefined;
  readonly waves: readonly Wave[];
}

/** An answer of the resolver is believed for so long (milliseconds). */
const BELIEVED_MS = 5_000;

async function play(stage: Stage, { cause, waves }: Phase): Promise<void> {
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

/** Plays all parts. Each surface must show its cells, and no surface may show a credential. Resolves with the faults. */
async function playAll(stage: Stage, phases: readonly Phase[]): Promise<readonly string[]> {
  await stage.begin();
  const cells = phases.flatMap(({ waves }) => waves.flatMap((wave) => wave.cells));
  let open = cells.map(({ id }) => ({ id, what: 'all' }));
  for (let round = 1; round <= MOST_ROUNDS && open.length > 0; round++) {
    const ids = new Set(open.map(({ id }) => id));
    for (const { cause, waves } of phases)
      await play(stage, { cause, waves: waves.filter((wave) => wave.cells.some(({ id }) => ids.has(id))) });
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

const notAnswered = (reason: string): Outcome => ({
  name: 'no answer',
  reason,
  answer: () => ({ kind: 'hang' }),
});

const modeOf = (name: string): Mode => {
  const mode = MODES.find((each) => each.name === name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
};

/** Those of its kind that are no configuration: one in so many. */
const ONE_IN = 37;

/** Some of all the configurations with which nothing can be sent; each of the others is looked at by itself. */
async function misconfiguredCells(port: number): Promise<Cell[]> {
  const transport = new Transport({ allowInsecureHttp: true });
  const settings = sinkSettings({ transport, clock: systemClock });
  const outcome: Outcome = { ...notAnswered('ConfigInvalid'), name: 'misconfigured' };
  const bad = misconfigured(port).filter(({ type, text }) => !readSink(type, text, settings).ok);
  await transport.close();
  return bad
    .filter((_, index) => index % ONE_IN === 0)
    .flatMap(({ name, text }) =>
      cellsOf(modeOf(name.split(': ')[0] ?? ''), [{ ...outcome, name }], port).map((cell) => ({
        ...cell,
        text,
      })),
    );
}

/** The templates of all stages. */
const GOOD = { good: '{{ .Plan.Name }}' };

/** One wave for each reason for which a message arrives otherwise than was wished. */
async function notices(stage: Stage): Promise<readonly Wave[]> {
  const texts: Record<string, string> = { ...GOOD };
  const cells = Object.entries(NOTICE_CAUSES).flatMap(([reason, cause]) => {
    if (typeof cause === 'string') return [];
    const { mode: name, template, key = template === undefined ? undefined : reason } = cause;
    if (template !== undefined) texts[reason] = template;
    const { template: _, ...mode } = modeOf(name);
    const named = { ...mode, ...(key !== undefined && { template: key }) };
    return cellsOf(named, [noticed(reason, cause, named)], stage.port);
  });
  await stage.world.templates('texts', texts);
  return (await Promise.all(cells.map((cell) => stage.prepare([cell])))).flat();
}

/** Every row of every sink's table, with every credential of every mode in every form. */
const answers = async (stage: Stage): Promise<readonly string[]> => {
  const cells = answerCells(stage.port);
  const wrong = await playAll(stage, [{ cause: undefined, waves: await stage.prepare(cells) }]);
  const hasNights = /"nights\W+\d+\W+\d{4}-/.test(stage.shown.of('journals').join(''));
  const of = ({ mode }: Cell, what: string): string => `${mode.name}: ${what}`;
  const echoed = new Set(cells.flatMap((cell) => cell.echoes.map((what) => of(cell, what))));
  const wanted = new Set(
    cells.flatMap((cell) => echoesOf(cell.configured).map(({ what }) => of(cell, what))),
  );
  const never = [...wanted].filter((what) => !echoed.has(what));
  return [
    ...wrong,
    ...(hasNights ? [] : ['no night was seen in a journal']),
    ...never.map((what) => `never echoed: ${what}`),
  ];
};

/** Each failure of the transport, in each mode. */
const failures = async (stage: Stage): Promise<readonly string[]> => {
  const phases: Phase[] = [];
  for (const reason of FAILURE_REASONS) {
    const cause = CAUSES[reason];
    if (typeof cause === 'string') continue;
    const cells = MODES.flatMap((mode) => cellsOf(mode, [notAnswered(reason)], stage.port));
    phases.push({ cause, waves: await stage.prepare(cells) });
  }
  // The last phase is the one in which receivers hang: later requests wait for its connections.
  const isLast = ({ cause }: Phase): number => Number(cause?.turns === true);
  return playAll(
    stage,
    phases.toSorted((a, b) => isLast(a) - isLast(b)),
  );
};

const wrong = async (stage: Stage): Promise<readonly string[]> => {
  const ofNotices = await notices(stage);
  const pauses = MODES.flatMap((mode) => cellsOf(mode, [throttled(mode)], stage.port));
  const others = [...pauses, ...(await misconfiguredCells(stage.port))];
  return playAll(stage, [{ cause: undefined, waves: [...ofNotices, ...(await stage.prepare(others))] }]);
};

/** A sample of all: an answer, a failure, a pause and a wrong configuration of each mode, and each notice. */
const sample = async (stage: Stage): Promise<readonly string[]> => {
  const all = await notices(stage);
  const cells = MODES.flatMap((mode, at) => [
    ...cellsOf(mode, some(receiverOf(mode).outcomes, at), stage.port),
    ...cellsOf(mode, [throttled(mode)], stage.port),
  ]);
  const lost = MODES.flatMap((mode) => cellsOf(mode, [notAnswered('BadAnswer')], stage.port));
  const bad = some(await misconfiguredCells(stage.port), 0);
  return playAll(stage, [
    { cause: undefined, waves: [...all, ...(await stage.prepare([...cells, ...bad]))] },
    { cause: CAUSES.BadAnswer as Cause, waves: await stage.prepare(lost) },
  ]);
};

/** One in eight, beginning at another place each time. */
const some = <T>(all: readonly T[], from: number): readonly T[] => all.filter((_, at) => at % 8 === from % 8);

type Part = readonly [sentence: string, play: (stage: Stage) => Promise<readonly string[]>];

const PARTS: Readonly<Record<string, Part>> = {
  sample: ['some of all the others, in seconds', sample],
  answers: ['with any answer of a receiver', answers],
  failures: ['with any failure of a receiver', failures],
  wrong: ['with a wrong configuration, a degraded message, or a pause that a receiver requests', wrong],
};

export const redaction: Scenario = {
  name: 'redaction',
  about:
    'no credential shows in the log, metrics, statuses, Events, journals and health, whatever a receiver echoes',
  names: {
    what: 'PART',
    all: Object.fromEntries(Object.entries(PARTS).map(([name, [sentence]]) => [name, sentence])),
  },
  async run({ names: wanted, say }) {
    const found: string[] = [];
    for (const name of wanted) {
      const stage = await Stage.start();
      try {
        await stage.world.templates('texts', GOOD);
        const wrong = (await PARTS[name]?.[1](stage)) ?? [];
        say(
          `${wrong.length === 0 ? 'true   ' : 'NOT TRUE'} ${name}: no credential shows ${PARTS[name]?.[0]}`,
        );
        found.push(...wrong.map((each) => `${name}: ${each}`));
      } finally {
        await stage.world.close();
      }
    }
    return verdict(found, say, 50);
  },
};
