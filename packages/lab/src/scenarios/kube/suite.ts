import type { Case, Outcome } from './case.ts';
import { Ground, removalOf } from './ground.ts';
import type { Plane } from '../../plane.ts';
import { within } from '../../wait.ts';
import { Stage } from './stage.ts';

const CASE_MS = 180_000;

export interface SuiteOptions {
  readonly cases: readonly Case[];
  readonly say: (line: string) => void;
  /** Ends the run. The clean-up runs all the same. */
  readonly signal: AbortSignal;
}

export interface Result {
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
