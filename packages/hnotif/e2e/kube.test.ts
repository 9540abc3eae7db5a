import { expect, it, onTestFinished } from 'vitest';
import { CASES } from './kube/cases/index.ts';
import { embeddedPlane } from './kube/plane.ts';
import { runSuite } from './kube/suite.ts';
import { LABEL } from './kube/ground.ts';
import { NO_KUBECTL } from './support/kubectl.ts';

const SHORT = ['install', 'validation', 'writes', 'nights'];

it.skipIf(NO_KUBECTL !== '')(
  'the cases for any API server run on the embedded plane, and leave nothing there',
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
    for (const resource of ['crd', 'clusterrole', 'clusterrolebinding', 'namespace'])
      expect(await plane.kubectl('get', resource, '-l', LABEL, '-o', 'name')).toBe('');
  },
);
