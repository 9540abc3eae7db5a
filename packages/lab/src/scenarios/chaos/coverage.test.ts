import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Coverage, storedIn } from './coverage.ts';

const journal = (observed: string) => ({
  metadata: { name: 'j', uid: 'u', resourceVersion: '9' },
  spec: { writer: { term: 1 }, plans: { plan: { observed } } },
});

it('knows which states of a plan were in a journal', async () => {
  const coverage = new Coverage();
  const { signal } = new AbortController();
  const kept = coverage.kept('plan', '12', signal);
  coverage.journal(journal('{"epoch":"e","rv":"11","phase":"Active"}'));
  coverage.journal(journal('{"epoch":"e","rv":"13","phase":"Active"}'));
  await kept;
  await coverage.kept('plan', '11', signal);
  expect(['10', '11', '12', '13'].map((version) => coverage.keptAt(version) !== undefined)).toEqual([
    ...[false, true, false, true],
  ]);
});

it('reads deflated texts', () => {
  const coverage = new Coverage();
  const text = deflateRawSync('{"epoch":"e","rv":"13","phase":"Error"}').toString('base64');
  coverage.journal(journal(`deflate-raw+base64:${text}`));
  expect(coverage.keptAt('13')).toBeDefined();
});

it('knows which deliveries wait in an entry', () => {
  const streams = ['log', 'pager', 'copy', 'room'].map((sink) => ({ notification: 'n', sink }));
  const entry = {
    observed: '{"seq":9}',
    streams: JSON.stringify({ streams, groups: [[0, 1, 2], [0], [3]] }),
    // The second stream skips 7 to 8, and so does the third one. The last one has ended.
    cursors: '[[6],[5,7,8],[8,1],[]]',
    log: {
      '5': '[{"seq":5,"to":0},{"seq":6,"to":0}]',
      '7': '[{"seq":7,"to":1},{"seq":8,"at":9,"to":0},{"seq":9,"to":2}]',
    },
  };
  expect(storedIn(entry)).toEqual({ seq: 9, waiting: { log: [6, 7, 8], pager: [5, 6, 8], copy: [8] } });
  expect(storedIn({ observed: '{"seq":3}' })).toEqual({ seq: 3, waiting: {} });
});

it('holds a plan back while many messages of its living sinks wait', async () => {
  const coverage = new Coverage([], ['dead']);
  const entry = (sink: string, waiting: number) => ({
    metadata: { name: 'j', uid: 'u', resourceVersion: '9' },
    spec: {
      writer: { term: 1 },
      plans: {
        plan: {
          ...{ observed: '{"rv":"7","seq":9}', waiting, cursors: '[[0]]' },
          streams: JSON.stringify({ streams: [{ notification: 'n', sink }], groups: [[0]] }),
          log: { '0': JSON.stringify(Array.from({ length: waiting }, (_, seq) => ({ seq, to: 0 }))) },
        },
      },
    },
  });
  const { signal } = new AbortController();
  let isOpen = false;
  coverage.journal(entry('log', 61));
  const kept = coverage.kept('plan', '7', signal).then(() => {
    isOpen = true;
  });
  await Promise.resolve();
  expect(isOpen).toBe(false);
  coverage.journal(entry('dead', 61));
  await kept;
  coverage.journal(entry('log', 60));
  await coverage.kept('plan', '7', signal);
});

it('knows the drops that a journal tells, each once', () => {
  const coverage = new Coverage();
  const at = '2026-01-05T20:00:00.000Z';
  const metadata = { name: 'j', namespace: 'n', uid: 'u', resourceVersion: '9' };
  const told = (...lines: readonly string[]) =>
    coverage.journal({
      metadata,
      spec: {
        writer: { term: 1 },
        plans: { plan: { nights: Object.fromEntries(lines.entries()), outcomes: {} } },
      },
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
  const kept = new Coverage().kept('plan', '12', over.signal);
  over.abort();
  await kept;
});
