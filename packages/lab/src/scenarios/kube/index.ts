import { type Case, differencesOf, type Outcome, tableOf } from './case.ts';
import { Ground, removalOf } from './ground.ts';
import { embeddedPlane, type Plane, planeOf } from '../../plane.ts';
import { within } from '../../wait.ts';
import { Stage } from './stage.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Scenario } from '../../scenario.ts';
import { CASES } from './cases/index.ts';

const CASE_MS = 180_000;

interface SuiteOptions {
  readonly cases: readonly Case[];
  readonly say: (line: string) => void;
  /** Ends the run. The clean-up runs all the same. */
  readonly signal: AbortSignal;
}

interface Result {
  readonly outcomes: Map<string, Outcome>;
  /** The objects that are still in the cluster. */
  readonly left: readonly string[];
}

/**
 * Installs hnotif on a plane from deploy/, runs cases one after the other, and cleans up.
 *
 * @throws when the installation fails; its objects are deleted
 */
export async function runSuite(plane: Plane, { cases, say, signal }: SuiteOptions): Promise<Result> {
  const ground = await Ground.on(plane);
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      reject(new Error('ended by a signal'));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  });
  aborted.catch(() => undefined);
  say(
    `${plane.name}: ${plane.version}, run ${ground.run}; if it is killed, clean up with ${removalOf(ground.run)}`,
  );
  const outcomes = new Map<string, Outcome>();
  const clean = async (): Promise<readonly string[]> => {
    const left = await ground.clean();
    if (left.length > 0) say(`${plane.name}: still there: ${left.join(', ')}; ${CONTROLLERS}`);
    return left;
  };
  const installing = ground.install();
  try {
    await Promise.race([installing, aborted]);
    for (const each of cases) {
      if (signal.aborted) break;
      const begun = performance.now();
      const outcome = await outcomeOf(each, ground, aborted);
      outcomes.set(each.name, outcome);
      const why = outcome.kind === 'done' ? `${outcome.seen.length} seen` : outcome.why;
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      say(`${plane.name}: ${each.name} ${outcome.kind} in ${seconds} s (${why})`);
    }
  } catch (error) {
    // kubectl may still create objects. They must exist before they can be deleted.
    await installing.catch(() => undefined);
    await clean();
    throw error;
  }
  return { outcomes, left: await clean() };
}

const CONTROLLERS =
  'only the namespace controller of kube-controller-manager deletes a namespace; it is empty except for its own objects';

async function outcomeOf(each: Case, ground: Ground, aborted: Promise<never>): Promise<Outcome> {
  const why = each.skipped?.(ground);
  if (why !== undefined) return { kind: 'skipped', why };
  let stage: Stage | undefined;
  try {
    stage = await Stage.set(ground, each.name);
    const running = each.run(stage);
    running.catch(() => undefined);
    return { kind: 'done', seen: await Promise.race([within(CASE_MS, 'the case', running), aborted]) };
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await stage?.close();
  }
}

const restartBy = (command: string) => async (): Promise<void> => {
  await promisify(execFile)('/bin/sh', ['-c', command]);
};

/**
 * Runs the same cases on the embedded control plane and on the API server of a kubeconfig. At the end it prints a table of the differences.
 * hnotif runs here, not in the cluster: it needs kubectl and the API server, but no nodes and no images. A difference alone is not a failure.
 */
export const kube: Scenario = {
  name: 'kube',
  about:
    'hnotif does the same on the embedded control plane and on an API server of yours (CONTRIBUTING.md says what it needs)',
  cleansUp: true,
  names: { what: 'CASE', all: Object.fromEntries(CASES.map(({ name, about }) => [name, about])) },
  options: {
    kubeconfig: { about: 'the cluster; without it the cases run only on the embedded control plane' },
    kube: { about: 'the same' },
    context: { about: 'context of the kubeconfig (default: its current one)' },
    'restart-command': {
      about: 'a shell command that restarts the API server (default: that case is skipped)',
    },
  },
  async run({ names, options, signal, say }) {
    const cases = CASES.filter(({ name }) => names.includes(name));
    const ran = async (starting: Promise<Plane>): Promise<Result> => {
      const plane = await starting;
      try {
        return await runSuite(plane, { cases, say, signal });
      } finally {
        await plane.close();
      }
    };
    const results: Result[] = [];
    const { context, 'restart-command': command } = options;
    const kubeconfig = options.kubeconfig ?? options.kube;
    if (kubeconfig !== undefined) {
      // The cluster comes first, so that its problems show at once.
      const restart = command === undefined ? undefined : restartBy(command);
      results.push(await ran(planeOf('real', { kubeconfig, context, restart })));
    }
    if (!signal.aborted) results.push(await ran(embeddedPlane()));
    const [real, embedded] = results;
    if (real !== undefined && embedded !== undefined)
      say(`\n${tableOf(differencesOf(embedded.outcomes, real.outcomes))}`);
    const outcomes = results.flatMap((result) => [...result.outcomes.values()]);
    return !signal.aborted && outcomes.every(({ kind }) => kind !== 'failed');
  },
};
