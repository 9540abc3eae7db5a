import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Coverage } from './coverage.ts';

const journal = (observed: string) => ({
  metadata: { name: 'j', uid: 'u', resourceVersion: '9' },
  spec: { plans: { plan: { observed } } },
});

it('knows which states of a plan were in a journal', async () => {
  const coverage = new Coverage();
  const { signal } = new AbortController();
  const kept = coverage.kept('12', signal);
  coverage.journal(journal('{"epoch":"e","rv":"11","phase":"Active"}'));
  coverage.journal(journal('{"epoch":"e","rv":"12","phase":"Active"}'));
  await kept;
  await coverage.kept('11', signal);
  expect(['10', '11', '12'].map((version) => coverage.keptAt(version) !== undefined)).toEqual([
    ...[false, true, true],
  ]);
});

it('reads deflated texts', () => {
  const coverage = new Coverage();
  const text = deflateRawSync('{"epoch":"e","rv":"13","phase":"Error"}').toString('base64');
  coverage.journal(journal(`deflate-raw+base64:${text}`));
  expect(coverage.keptAt('13')).toBeDefined();
});

it('ends a wait on abort', async () => {
  const over = new AbortController();
  const kept = new Coverage().kept('12', over.signal);
  over.abort();
  await kept;
});
