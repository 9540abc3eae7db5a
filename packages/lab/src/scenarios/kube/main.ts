/**
 * Runs the same cases on the embedded control plane and on the API server of a kubeconfig. At the end it prints a table of the differences.
 *
 *     npm run e2e:kube -- --kubeconfig FILE [--context NAME]
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { CASES } from './cases/index.ts';
import { differencesOf, tableOf } from './compare.ts';
import { embeddedPlane, planeOf, type Plane } from './plane.ts';
import { runSuite, type Result } from './suite.ts';

const USAGE = `usage: npm run e2e:kube -- --kubeconfig FILE [--context NAME] [--restart-command COMMAND] [CASE…]
  --kubeconfig       the cluster: kube-apiserver alone, kind, k3s, … ; without it the cases run only on the embedded plane.
                     Its user needs all rights. The cluster must not have CRDs of the group hibernation.dev.
  --context          context of the kubeconfig (default: its current one)
  --restart-command  a shell command that restarts the API server (default: that case is skipped)
  CASE               ${CASES.map(({ name }) => name).join(', ')} (default: all)

hnotif runs here, not in the cluster. It needs kubectl and the API server of the cluster, but no nodes and no images.
Namespaces, roles and CRDs of the run are deleted at the end, also after Ctrl-C. Only kube-controller-manager ends the deletion
of a namespace. Without it the empty namespaces stay, and the run lists them.
Ends with 1 when a case fails. A difference alone is not a failure.`;

const OPTIONS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'restart-command': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function argumentsOf() {
  try {
    const given = parseArgs({ options: OPTIONS, allowPositionals: true });
    return given.positionals.every((name) => CASES.some((each) => each.name === name)) ? given : undefined;
  } catch {
    return undefined;
  }
}

const given = argumentsOf();
if (given === undefined) {
  console.error(USAGE);
  process.exit(2);
}
const { values, positionals } = given;
if (values.help === true) {
  console.log(USAGE);
  process.exit(0);
}
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (ending.signal.aborted) process.exit(1);
    console.log('cleaning up; a second signal stops without a clean-up');
    ending.abort();
  });
const cases = CASES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

async function ran(starting: Promise<Plane>): Promise<Result> {
  const plane = await starting;
  try {
    return await runSuite(plane, { cases, say: console.log, signal: ending.signal });
  } finally {
    await plane.close();
  }
}

const restartBy = (command: string) => async (): Promise<void> => {
  await promisify(execFile)('/bin/sh', ['-c', command]);
};

async function main(): Promise<boolean> {
  const results: Result[] = [];
  const { kubeconfig, context, 'restart-command': command } = values;
  if (kubeconfig !== undefined) {
    // The cluster comes first, so that its problems show at once.
    const restart = command === undefined ? undefined : restartBy(command);
    results.push(await ran(planeOf('real', { kubeconfig, context, restart })));
  }
  if (!ending.signal.aborted) results.push(await ran(embeddedPlane()));
  const [real, embedded] = results;
  if (real !== undefined && embedded !== undefined)
    console.log(`\n${tableOf(differencesOf(embedded.outcomes, real.outcomes))}`);
  return (
    !ending.signal.aborted &&
    results.every(({ outcomes }) => [...outcomes.values()].every(({ kind }) => kind !== 'failed'))
  );
}

// Idle connections would keep the process alive for some seconds.
main().then(
  (isGood) => process.exit(isGood ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
