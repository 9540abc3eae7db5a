import type dns from 'node:dns';
import { expect, it, vi } from 'vitest';
import { answerCells, type Cell, cellsOf } from './redaction/cells.ts';
import { ECHOES } from './redaction/canary.ts';
import { MODES } from './redaction/modes.ts';
import { type Cause, CAUSES, FAILURE_REASONS, type Outcome } from './redaction/outcomes.ts';
import { names } from './redaction/names.ts';
import { Stage, type Wave } from './redaction/stage.ts';
import type { Shown, Surface } from './redaction/surfaces.ts';

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof dns>()),
  lookup: (await import('./redaction/names.ts')).lookup,
}));

/** Where what became of a cell's delivery is told by its sink's name and the reason. */
const TOLD: Readonly<
  Record<Exclude<Surface, 'health' | 'journals'>, (id: string, reason: string) => readonly string[]>
> = {
  log: (id, reason) => [`"sink":"${id}"`, `"reason":"${reason}"`],
  'text log': (id, reason) => [`sink=${id} `, `reason=${reason} `],
  metrics: (id, reason) => [`sink="${id}",`, `reason="${reason}"`],
  status: (id, reason) => [`"name":"${id}"`, `"reason":"${reason}"`],
  Events: (id, reason) => [`sink ${id}: ${reason}: `],
};

/** The cells that nothing was seen of somewhere, and where. */
function missing(shown: Shown, cells: readonly Cell[]): { readonly cell: Cell; readonly what: string }[] {
  return Object.entries(TOLD).flatMap(([surface, wordsOf]) => {
    const texts = byCell(unitsOf(shown, surface as keyof typeof TOLD));
    // Metrics have the reasons of what has failed; what waits with its sink has not.
    const failed = surface === 'metrics' ? byCell(shown.of('log').filter(tellsFailure)) : undefined;
    return cells.flatMap((cell) => {
      const { id, mode, outcome } = cell;
      if (failed?.has(id) === false) return [];
      const words = wordsOf(id, outcome.reason);
      const told = texts.get(id)?.some((text) => words.every((word) => text.includes(word))) === true;
      const what = `${mode.name} × ${outcome.name} (${outcome.reason}) × ${surface}`;
      return told ? [] : [{ cell, what }];
    });
  });
}

const tellsFailure = (line: string): boolean => /"msg":"(delivery failed|message degraded)"/.test(line);

/** The single pieces in which a surface tells of sinks. */
function unitsOf(shown: Shown, surface: keyof typeof TOLD): string[] {
  const texts = shown.of(surface);
  if (surface === 'metrics') return texts.slice(-1).flatMap((text) => text.split('\n'));
  return surface === 'status' ? texts.flatMap(rowsOf) : texts;
}

/** What names the sink of a cell, by its name. */
function byCell(texts: readonly string[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const text of texts) {
    const [, id] = /(?:"(?:sink|name)":"|sink="?|"sink )(c\d+)\b/.exec(text) ?? [];
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), text]);
  }
  return found;
}

/** The rows of sinks in a status. */
const rowsOf = (status: string): string[] =>
  ((JSON.parse(status) as { sinks?: object[] }).sinks ?? []).map((row) => JSON.stringify(row));

/** Sinks that meet the same, and how it is brought about; undefined: each receiver answers as its cell says. */
interface Phase {
  readonly cause: Cause | undefined;
  readonly waves: readonly Wave[];
}

async function play(stage: Stage, { cause, waves }: Phase): Promise<void> {
  stage.cause = cause;
  if (cause?.resolving !== undefined) names.resolving = cause.resolving;
  // Threads wait for a while after an unclear answer; the others need not wait for them.
  const inThread = ({ cells: [cell] }: Wave): boolean => cell?.mode.answers === 'thread';
  await Promise.all(
    [true, false].map(async (isThread) => {
      for (const wave of waves) if (inThread(wave) === isThread) await stage.fire(wave);
    }),
  );
  stage.cause = undefined;
  names.reset();
}

it(
  'no credential shows anywhere, whatever a receiver answers or fails to',
  { timeout: 180_000 },
  async () => {
    const stage = await Stage.start();
    await stage.world.templates('texts', { good: '{{ .Plan.Name }}' });
    const phases: Phase[] = [{ cause: undefined, waves: await stage.prepare(answerCells(stage.port)) }];
    for (const reason of FAILURE_REASONS) {
      const cause = CAUSES[reason];
      if (typeof cause === 'string') continue;
      const outcome: Outcome = { name: 'no answer', reason, answer: () => ({ kind: 'hang' }) };
      const cells = MODES.flatMap((mode) => cellsOf(mode, [outcome], stage.port));
      phases.push({ cause, waves: await stage.prepare(cells) });
    }
    await stage.begin();
    for (const phase of phases) await play(stage, phase);
    const all = phases.flatMap(({ waves }) => waves.flatMap(({ cells }) => cells));
    const open = async (of: readonly Phase[]): Promise<Phase[]> => {
      const cells = of.flatMap(({ waves }) => waves.flatMap((wave) => wave.cells));
      await stage.look();
      await stage.calm(() => missing(stage.shown, cells).length === 0);
      const left = new Set(missing(stage.shown, cells).map(({ cell }) => cell));
      return of.flatMap(({ cause, waves }) => {
        const again = waves
          .map(({ plan, cells: all }) => ({ plan, cells: all.filter((cell) => left.has(cell)) }))
          .filter((wave) => wave.cells.length > 0);
        return again.length === 0 ? [] : [{ cause, waves: again }];
      });
    };
    // On a busy machine a turn of the clock may have ended a request that was to end otherwise: again, by other sinks, since of
    // one that is parked an Event tells once.
    let left = await open(phases);
    for (let round = 0; round < 3 && left.length > 0; round++) {
      const anew: Phase[] = [];
      for (const { cause, waves } of left) {
        const cells = waves.flatMap((wave) => wave.cells);
        const fresh = cells.flatMap(({ mode, outcome }) => cellsOf(mode, [outcome], stage.port));
        anew.push({ cause, waves: await stage.prepare(fresh) });
      }
      for (const phase of anew) await play(stage, phase);
      left = await open(anew);
    }
    expect(stage.shown.leaks()).toEqual([]);
    expect(stage.shown.of('journals').join('')).toMatch(/"outcomes\W+at/);
    expect(stage.shown.of('health').join('')).toMatch(/healthz check passed[^]*readyz check passed/);
    const cells = left.flatMap(({ waves }) => waves.flatMap((wave) => wave.cells));
    expect(missing(stage.shown, cells).map(({ what }) => what)).toEqual([]);
    // Every credential of every mode was echoed in every form.
    const echoed = new Set(all.flatMap(({ mode, echoes }) => echoes.map((echo) => `${mode.name}: ${echo}`)));
    const wanted = all.flatMap(({ mode, configured }) =>
      Object.keys(configured.credentials).flatMap((credential) =>
        Object.keys(ECHOES).map((form) => `${mode.name}: ${credential}, ${form}`),
      ),
    );
    expect([...new Set(wanted)].filter((pair) => !echoed.has(pair))).toEqual([]);
  },
);
