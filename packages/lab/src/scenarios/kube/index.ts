import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { embeddedPlane, planeOf, type Plane } from '../../plane.ts';
import type { Scenario } from '../../scenario.ts';
import { CASES } from './cases/index.ts';
import { differencesOf, tableOf } from './case.ts';
import { runSuite, type Result } from './suite.ts';

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
