/** The page of a large cluster, after nights: how soon its first row is there, and the memory of browser and server. */
import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { NO_BROWSER, startBrowser } from '../../../../ui/test/browser.ts';
import { aim, mb, ms } from '../../figures.ts';
import { Process } from '../../process.ts';
import { STEPS } from '../../scale/night.ts';
import { pause } from '../../wait.ts';
import { onStage, part } from './stage.ts';

const TARGETS = 2;
/** Each write of all plans is spread over this time (milliseconds). */
const STEP_MS = 10_000;
const QUIET_MS = 1_500;
/** The controller writes statuses for half a minute after a night. The server collects its garbage when it was quiet for 10 s. */
const REST_MS = 60_000;
const FIRST_ROW_MS = 1_000;
const PAGE_BYTES = 150e6;
const SERVER_BYTES = 300e6;
/** Users start it without the flags of the image: those of Node. */
const NODES_OWN = ['--initial-old-space-size=0', '--max-semi-space-size=16', '--heap-growing-percent=0'];

interface Opened {
  readonly firstRowMs: number;
  /** In use after a collection (bytes). */
  readonly heap: number;
}

/** The page notes itself when its first row is painted, since its navigation began: it answers questions only when it has time. */
const NOTE = `new MutationObserver((_, observer) => {
  if (document.querySelector('canvas[role=img]') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.firstRowMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

async function open(browser: Browser, address: string, plans: number): Promise<Opened> {
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
  return { firstRowMs, heap: usedSize };
}

/** `BENCH_PLANS=2000`: so many plans, not 5,000. `BENCH_NIGHTS=1`: so many nights with their mornings, not three. */
export async function page(): Promise<void> {
  if (NO_BROWSER !== '') {
    console.log(`  skipped: ${NO_BROWSER}`);
    return;
  }
  const plans = Number(process.env.BENCH_PLANS ?? 5_000);
  const nights = Number(process.env.BENCH_NIGHTS ?? 3);
  const scale = { plans, namespaces: plans / 50, targets: TARGETS, cycles: 5 };
  const browser = await startBrowser();
  try {
    await onStage({ scale, pauseMs: QUIET_MS, troubled: () => undefined }, async (stage) => {
      const server = new Process(['ui', `--kubeconfig=${stage.kubeconfig}`, '--port=0'], { node: NODES_OWN });
      try {
        const [address = ''] = /http:\S+/.exec(await server.line(/http:/)) ?? [];
        const show = async (when: string): Promise<void> => {
          const { firstRowMs, heap } = await open(browser, address, plans);
          // An hour after a night, not a second.
          await pause(REST_MS);
          const { now, peak } = await server.memory();
          console.log(
            `  ${when}: first row after ${ms(firstRowMs)}; page ${mb(heap)}; server ${mb(now)}, ${mb(peak)} at most; ` +
              `load ${loadavg()[0]?.toFixed(1) ?? '?'}\n` +
              `    ${aim('first row in 1 s', firstRowMs <= FIRST_ROW_MS)}; ${aim('page of 150 MB', heap <= PAGE_BYTES)}; ` +
              aim('server of 300 MB', now <= SERVER_BYTES),
          );
        };
        console.log(`${plans} plans in ${scale.namespaces} namespaces`);
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
}
