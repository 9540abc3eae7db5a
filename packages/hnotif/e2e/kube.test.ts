import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CASES } from '../../lab/src/scenarios/kube/cases/index.ts';
import { embeddedPlane, type Plane } from '../../lab/src/plane.ts';
import { runSuite } from '../../lab/src/scenarios/kube/index.ts';
import { LABEL } from '../../lab/src/scenarios/kube/ground.ts';
import { DEPLOY } from '../../lab/src/rights.ts';
import { NO_KUBECTL } from './support/kubectl.ts';

const SHORT = ['install', 'validation', 'writes', 'apply', 'clients', 'nights'];

/** Whatever has the label of a run. */
async function labelled(plane: Plane): Promise<string> {
  const kinds = 'crd,clusterrole,clusterrolebinding,namespace';
  return plane.kubectl('get', kinds, '-l', LABEL, '-o', 'name');
}

it.skipIf(NO_KUBECTL !== '')(
  'the cases for any API server pass on the embedded control plane, and leave nothing there',
  async () => {
    const plane = await embeddedPlane();
    onTestFinished(() => plane.close());
    const lines: string[] = [];
    const { outcomes, left } = await runSuite(plane, {
      cases: CASES.filter(({ name }) => SHORT.includes(name)),
      say: (line) => lines.push(line),
      signal: new AbortController().signal,
    });
    const kinds = Object.fromEntries([...outcomes].map(([name, { kind }]) => [name, kind]));
    expect([kinds, left], lines.join('\n')).toEqual([
      Object.fromEntries(SHORT.map((name) => [name, 'done'])),
      [],
    ]);
    expect(await labelled(plane)).toBe('');
  },
);

it.skipIf(NO_KUBECTL !== '')(
  'a run that is ended while it installs deletes everything that it created',
  async () => {
    const plane = await embeddedPlane();
    onTestFinished(() => plane.close());
    const ending = new AbortController();
    const say = (): void => {
      ending.abort();
    };
    const run = runSuite(plane, { cases: CASES, say, signal: ending.signal });
    await expect(run).rejects.toThrow('ended by a signal');
    expect(await labelled(plane)).toBe('');
  },
);

it.skipIf(NO_KUBECTL !== '')('a cluster with CRDs of the group is refused, and keeps them', async () => {
  const plane = await embeddedPlane();
  onTestFinished(() => plane.close());
  await plane.kubectl('create', '-k', join(DEPLOY, 'crds'));
  const options = { cases: CASES, say: () => undefined, signal: new AbortController().signal };
  await expect(runSuite(plane, options)).rejects.toThrow(
    /already has CRDs of the group .*use a cluster without/,
  );
  expect(await plane.kubectl('get', 'crd', '-o', 'name')).toContain('hibernatenotifications');
});
