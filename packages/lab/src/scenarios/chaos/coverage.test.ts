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

it('knows the drops that a journal tells, each once', () => {
  const coverage = new Coverage();
  const at = '2026-01-05T20:00:00.000Z';
  const metadata = { name: 'j', namespace: 'n', uid: 'u', resourceVersion: '9' };
  const told = (...lines: readonly string[]) =>
    coverage.journal({
      metadata,
      spec: { plans: { plan: { nights: Object.fromEntries(lines.entries()), outcomes: {} } } },
    });
  told(
    `${at} #9 Start night/ops dropped overflow (3) [a b] {"error":"no capacity [a]"}`,
    `${at} #9 Start night/ops delivered [a]`,
  );
  told(
    `${at} #9 Start night/ops dropped overflow (2) [a]`,
    `${at} #9 Start night/log dropped superseded [a]`,
  );
  const drop = { namespace: 'n', plan: 'plan' };
  expect(coverage.drops).toMatchObject([
    { ...drop, sink: 'ops', count: 3 },
    { ...drop, sink: 'log', count: 1 },
  ]);
});

it('ends a wait on abort', async () => {
  const over = new AbortController();
  const kept = new Coverage().kept('12', over.signal);
  over.abort();
  await kept;
});
