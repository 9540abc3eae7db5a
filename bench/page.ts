/** The board of a cluster of 1,000 plans and 20,000 deliveries, while 200 deliveries a second come in: how smooth it is in a browser. */
import { setTimeout } from 'node:timers/promises';
import { startBrowser } from '../packages/ui/test/browser.ts';
import {
  applyRows,
  snapshotOf,
  type Board,
  type Change,
  type Dot,
  type Head,
} from '../packages/hnotif/src/cli/ui/board.ts';
import { Feed } from '../packages/hnotif/src/cli/ui/feed.ts';
import { startUiServer } from '../packages/hnotif/src/cli/ui/server.ts';
import { aim, quantile, spread } from './figures.ts';

const PLANS = 1_000;
const DOTS = 20;
const A_SECOND = 200;
const SECONDS = 60;
/** As the server collects changes (milliseconds). */
const EVERY_MS = 150;

const HEAD: Head = { leader: 'served by a benchmark', serving: 'serving', unseen: [], hasMessages: false };
const STATES = [
  'delivered',
  'delivered',
  'delivered',
  'delivered',
  'waiting',
  'retried',
  'parked',
  'failed',
  'dropped',
] as const;

const board: Board = new Map();
const feed = new Feed('bench');
let seq = 0;

const aDot = (plan: number, at: number): Dot => {
  const number = ++seq;
  const [notification, sink] = [`team-${plan % 20}`, `sink-${number % 5}`];
  return {
    ...{
      id: `${notification}/${sink}#${number}`,
      seq: number,
      event: 'ExecutionProgress',
      notification,
      sink,
    },
    ...{ state: STATES[number % STATES.length] ?? 'delivered', at, count: 1, why: '', latencyMs: 40 },
  };
};

const rowOf = (plan: number, dots: readonly Dot[]) => {
  const [namespace, name] = [`ns-${plan % 20}`, `plan-${plan}`];
  return {
    key: `${namespace}/${name}`,
    namespace,
    plan: name,
    phase: 'Hibernating',
    operation: 'shutdown',
    dots,
  };
};

const send = (change: Change): void => {
  applyRows(board, change);
  feed.push(change);
};

const began = Date.now();
send({
  now: began,
  rows: Array.from({ length: PLANS }, (_, plan) => ({
    ...rowOf(
      plan,
      Array.from({ length: DOTS }, (__, at) => aDot(plan, began - at * 5_000)),
    ),
    spans: [
      { phase: 'Active', from: began - 600_000 },
      { phase: 'Hibernating', from: began - 100_000 },
    ],
    marks: [{ kind: 'Start', at: began - 100_000 }],
  })),
});

const server = await startUiServer({
  ...{ port: 0, token: 'bench', feed, questions: {}, actions: {} },
  snapshot: () => snapshotOf(board, HEAD, Date.now()),
});
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1_920, height: 1_080 } });
await page.goto(server.url);
await page.getByText(`${PLANS} plans`).waitFor();
const debug = await page.context().newCDPSession(page);

/** Bytes of JavaScript after a collection. */
async function heap(): Promise<number> {
  await debug.send('HeapProfiler.collectGarbage');
  const { usedSize } = await debug.send('Runtime.getHeapUsage');
  return usedSize;
}

await page.evaluate(`{
  const gaps = (globalThis.gaps = []);
  let last = performance.now();
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.tasks.push(duration);
  }).observe({ type: 'longtask' });
}`);
const before = await heap();
await page.evaluate('gaps.length = 0; tasks.length = 0');

let sent = 0;
const start = performance.now();
while (performance.now() - start < SECONDS * 1_000) {
  const due = Math.floor(((performance.now() - start) / 1_000) * A_SECOND);
  const rows = new Map<number, Dot[]>();
  for (; sent < due; sent++) {
    const plan = (sent * 37) % PLANS;
    rows.set(plan, [...(rows.get(plan) ?? []), aDot(plan, Date.now())]);
  }
  // As the service does, a row keeps its newest dots.
  const changes = [...rows].map(([plan, dots]) => {
    const change = rowOf(plan, dots);
    const known = [...(board.get(change.key)?.dots.keys() ?? [])];
    return { ...change, lost: known.slice(0, Math.max(0, known.length + dots.length - DOTS)) };
  });
  send({ rows: changes, now: Date.now() });
  // Somebody scrolls.
  if (sent % 1_000 < 60) await page.mouse.wheel(0, 700);
  await setTimeout(EVERY_MS);
}

const gaps = await page.evaluate<number[]>('gaps');
const tasks = await page.evaluate<number[]>('tasks');
const after = await heap();
console.log(`${sent} deliveries in ${SECONDS} s on ${PLANS} plans with ${PLANS * DOTS} dots, 1920 × 1080`);
console.log(`  between frames  ${spread(gaps, 'ms')}  (${aim('at most 100 ms', quantile(gaps, 1) <= 100)})`);
console.log(`  tasks over 50 ms  ${tasks.length}`);
console.log(`  heap  ${(before / 1e6).toFixed(1)} MB before, ${(after / 1e6).toFixed(1)} MB after`);
await browser.close();
await server.close();
