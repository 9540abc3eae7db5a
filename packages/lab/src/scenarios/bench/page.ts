/** The page of a large cluster, after nights: how soon its first row is there, and the memory of browser and server. */
import type { Browser } from 'playwright-core';
import { NO_BROWSER, startBrowser } from '../../../../ui/test/browser.ts';
import { Process } from '../../process.ts';
import { STEPS } from '../../scale/night.ts';
import { pause } from '../../wait.ts';
import type { Bench, Figures } from './sheet.ts';
import { onStage, part } from './stage.ts';

const TARGETS = 2;
/** Each write of all plans is spread over this time (milliseconds). */
const STEP_MS = 10_000;
const QUIET_MS = 1_500;
/** The controller writes statuses for half a minute after a night. The server collects its garbage when it was quiet for 10 s. */
const REST_MS = 60_000;
/** Users start it without the flags of the image: those of Node. */
const NODES_OWN = ['--initial-old-space-size=0', '--max-semi-space-size=16', '--heap-growing-percent=0'];

/** The page notes itself when its first row is painted, since its navigation began: it answers questions only when it has time. */
const NOTE = `new MutationObserver((_, observer) => {
  if (document.querySelector('canvas[role=img]') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstRowMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

/** The memory of the page is what is in use after a collection. */
async function open(browser: Browser, address: string, plans: number): Promise<Figures> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await page.addInitScript(NOTE);
  await page.goto(address);
  await page.getByText(`${plans} plans`).first().waitFor();
  const firstRowMs = await page.evaluate<number>('window.firstRowMs');
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  return { 'first row (ms)': firstRowMs, 'page (MB)': usedSize / 1e6 };
}

/** `BENCH_PLANS=2000`: so many plans, not 5,000. `BENCH_NIGHTS=1`: so many nights with their mornings, not three. */
export const page: Bench = {
  question: 'the page with 5,000 plans, after nights: first row, memory of browser and server (5 minutes)',
  aims: { 'first row (ms)': 1_000, 'page (MB)': 150, 'server (MB)': 300 },
  async measure(note) {
    if (NO_BROWSER !== '') {
      console.log(`  skipped: ${NO_BROWSER}`);
      return;
    }
    const plans = Number(process.env.BENCH_PLANS ?? 5_000);
    const nights = Number(process.env.BENCH_NIGHTS ?? 3);
    const scale = { plans, namespaces: plans / 50, targets: TARGETS, cycles: 5 };
    const browser = await startBrowser();
    try {
      await onStage({ scale, pauseMs: QUIET_MS }, async (stage) => {
        const server = new Process(['ui', `--kubeconfig=${stage.plane.kubeconfig}`, '--port=0'], {
          node: NODES_OWN,
        });
        try {
          const [address = ''] = /http:\S+/.exec(await server.line(/http:/)) ?? [];
          const show = async (when: string): Promise<void> => {
            const figures = await open(browser, address, plans);
            // An hour after a night, not a second.
            await pause(REST_MS);
            const { now, peak } = await server.memory();
            note(when, { ...figures, 'server (MB)': now / 1e6, 'server, at most (MB)': peak / 1e6 });
          };
          await show('before the first night');
          for (let round = 0; round < 2 * nights; round++) {
            // It ends when hnotif is quiet: how many messages come is not measured.
            await part(stage, { round, steps: STEPS, overMs: STEP_MS, messages: 0, quietMs: QUIET_MS });
            if (round % 2 === 1) await show(`after ${(round + 1) / 2} nights`);
          }
        } finally {
          await server.end('SIGTERM');
        }
      });
    } finally {
      await browser.close();
    }
  },
};
