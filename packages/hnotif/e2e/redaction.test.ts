import type dns from 'node:dns';
import { expect, it, vi } from 'vitest';
import { systemClock } from '@hnotif/core/clock';
import type { ControllerOptions } from '../src/controller/options.ts';
import { SINK_TYPES } from '@hnotif/core/resources';
import { DEGRADATIONS } from '../../core/src/sinks/degradation.ts';
import { readSink } from '@hnotif/core/sinks';
import { sinkSettings } from '../../core/src/testing/sinks.ts';
import { Transport } from '../src/transport/client.ts';
import { canary, ECHOES } from './redaction/canary.ts';
import { answerCells, type Cell, cellsOf } from './redaction/cells.ts';
import { misconfigured } from './redaction/misconfigured.ts';
import { type Mode, MODES } from './redaction/modes.ts';
import { names } from './redaction/names.ts';
import { NOTICE_CAUSES, noticed, throttled } from './redaction/notices.ts';
import { type Cause, CAUSES, FAILURE_REASONS, type Outcome, OUTCOMES } from './redaction/outcomes.ts';
import { Stage, type Wave } from './redaction/stage.ts';
import { missing } from './redaction/told.ts';

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof dns>()),
  lookup: (await import('./redaction/names.ts')).lookup,
}));

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

/** Plays all and resolves with the cells, each seen wherever it is told of, none with a credential. */
async function playAll(
  stage: Stage,
  phases: readonly Phase[],
  options: Partial<ControllerOptions> = {},
): Promise<readonly Cell[]> {
  await stage.begin(options);
  const cells = phases.flatMap(({ waves }) => waves.flatMap((wave) => wave.cells));
  let open = cells.map(({ id }) => ({ id, what: 'all' }));
  for (let round = 1; round <= MOST_ROUNDS && open.length > 0; round++) {
    const ids = new Set(open.map(({ id }) => id));
    for (const { cause, waves } of phases)
      await play(stage, { cause, waves: waves.filter((wave) => wave.cells.some(({ id }) => ids.has(id))) });
    await stage.look();
    await stage.calm(() => (open = missing(stage.shown, cells)).length === 0);
  }
  expect(stage.shown.leaks()).toEqual([]);
  expect(stage.shown.of('health').join('')).toMatch(/healthz check passed[^]*readyz check passed/);
  expect(open).toEqual([]);
  return cells;
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

it('each type of sink has a mode, with answers', () => {
  const played = MODES.filter(({ answers }) => (OUTCOMES.get(answers) ?? []).length > 0);
  expect(SINK_TYPES.filter((type) => played.every((mode) => mode.type !== type))).toEqual([]);
});

it('each reason has a case, or the reason why it has none', () => {
  expect(FAILURE_REASONS.filter((reason) => !Object.hasOwn(CAUSES, reason))).toEqual([]);
  expect(Object.keys(DEGRADATIONS).filter((reason) => !Object.hasOwn(NOTICE_CAUSES, reason))).toEqual([]);
});

it('no credential shows anywhere, with any answer of a receiver', async () => {
  const stage = await Stage.start();
  await stage.world.templates('texts', { good: '{{ .Plan.Name }}' });
  const waves = await stage.prepare(answerCells(stage.port));
  const all = await playAll(stage, [{ cause: undefined, waves }]);
  expect(stage.shown.of('journals').join('')).toMatch(/"nights\W+\d+\W+\d{4}-/);
  // Every credential of every mode was echoed in every form.
  const echoed = new Set(all.flatMap(({ mode, echoes }) => echoes.map((echo) => `${mode.name}: ${echo}`)));
  const wanted = all.flatMap(({ mode, configured }) =>
    Object.keys(configured.credentials).flatMap((credential) =>
      Object.keys(ECHOES).map((form) => `${mode.name}: ${credential}, ${form}`),
    ),
  );
  expect([...new Set(wanted)].filter((pair) => !echoed.has(pair))).toEqual([]);
});

it('no credential shows anywhere, with any failure of a receiver', async () => {
  const stage = await Stage.start();
  await stage.world.templates('texts', { good: '{{ .Plan.Name }}' });
  const phases: Phase[] = [];
  for (const reason of FAILURE_REASONS) {
    const cause = CAUSES[reason];
    if (typeof cause === 'string') continue;
    const cells = MODES.flatMap((mode) => cellsOf(mode, [notAnswered(reason)], stage.port));
    phases.push({ cause, waves: await stage.prepare(cells) });
  }
  // The last phase is the one in which receivers hang: later requests wait for its connections.
  await playAll(
    stage,
    phases.toSorted((a, b) => Number(a.cause?.turns === true) - Number(b.cause?.turns === true)),
  );
});

it('no credential shows with a wrong configuration, a degraded message, or a pause that a receiver requests', async () => {
  const stage = await Stage.start();
  const noticeWaves = await notices(stage, (reason) => reason !== SLOW);
  const pauses = MODES.flatMap((mode) => cellsOf(mode, [throttled(mode)], stage.port));
  const waves = [
    ...noticeWaves,
    ...(await stage.prepare(pauses)),
    ...(await stage.prepare(await misconfiguredCells(stage.port))),
  ];
  await playAll(stage, [{ cause: undefined, waves }]);
});

/** The limit of CPU time ends it. A turn of the clock would end its worker first on a slow machine. */
const SLOW = 'TemplateTimedOut';

it('no credential shows when a template takes too long', async () => {
  const stage = await Stage.start();
  stage.turning = false;
  await playAll(stage, [{ cause: undefined, waves: await notices(stage, (reason) => reason === SLOW) }]);
});

/** One wave for each reason for which a message arrives otherwise than was wished. */
async function notices(stage: Stage, isWanted: (reason: string) => boolean): Promise<readonly Wave[]> {
  const texts: Record<string, string> = { good: '{{ .Plan.Name }}' };
  const cells = Object.entries(NOTICE_CAUSES).flatMap(([reason, cause]) => {
    if (typeof cause === 'string' || !isWanted(reason)) return [];
    const { mode: name, template, key = template === undefined ? undefined : reason } = cause;
    if (template !== undefined) texts[reason] = template;
    const { template: _, ...mode } = modeOf(name);
    const named = { ...mode, ...(key !== undefined && { template: key }) };
    return cellsOf(named, [noticed(reason, cause, named)], stage.port);
  });
  await stage.world.templates('texts', texts);
  return (await Promise.all(cells.map((cell) => stage.prepare([cell])))).flat();
}

/** Whether an address is in the configuration, not in the options of the controller. */
const hasAddress = (config: object): boolean => 'url' in config || 'webhook_url' in config;

/** What a controller is started with, and what then becomes of the sinks of a mode. */
const CONTROLLERS: Readonly<
  Record<
    string,
    { readonly options: (port: number) => Partial<ControllerOptions>; readonly of: (mode: Mode) => string }
  >
> = {
  'that permits no plain http': {
    options: () => ({ allowInsecureHttp: false }),
    of: ({ config }) => (hasAddress(config('c0', 1).config) ? 'ConfigInvalid' : 'InsecureUrl'),
  },
  'whose proxy refuses it': {
    options: (port) => ({
      chatApiUrl: `https://api.echo.test:${port}/api`,
      botApiUrl: `https://api.echo.test:${port}`,
      env: { HTTPS_PROXY: `http://me:${encodeURIComponent(canary.text('proxy'))}@127.0.0.1:${port}` },
    }),
    of: () => 'ProxyFailed',
  },
};

it.each(Object.entries(CONTROLLERS))(
  'no credential shows with a controller %s',
  async (_, { options, of }) => {
    const stage = await Stage.start();
    await stage.world.templates('texts', { good: '{{ .Plan.Name }}' });
    const cells = MODES.flatMap((mode) => cellsOf(mode, [notAnswered(of(mode))], stage.port)).map((cell) =>
      of(cell.mode) === 'ProxyFailed'
        ? { ...cell, text: JSON.stringify(cell.configured.config).replace('http://', 'https://') }
        : cell,
    );
    await playAll(stage, [{ cause: undefined, waves: await stage.prepare(cells) }], options(stage.port));
  },
);
