/**
 * Makes the pictures of the page in `docs/img`: `hnotif dev` with the plans of some teams, of which one has a receiver that is down and
 * one a wrong address. Needs Chromium (Debian: apt-get install chromium fonts-noto-color-emoji). No part of the tests.
 *
 *     node --import tsx scripts/page-pictures.ts
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { toYaml } from '../packages/hnotif/src/cli/format.ts';
import { startBrowser } from '../packages/ui/test/browser.ts';

const OUT = join(import.meta.dirname, '../docs/img');
const GROUP = 'hibernation.dev/v1alpha1';
/** Of the example beside it. */
const SIGNING_SECRET = `whsec_${Buffer.from('made for the demo: night!!').toString('base64')}`;
const HOOK = 'http://127.0.0.1:8099/hooks/night';

interface Team {
  readonly namespace: string;
  readonly plans: Readonly<Record<string, string>>;
  /** Where its webhooks go, by sink. */
  readonly sinks: Readonly<Record<string, string>>;
}

const TEAMS: readonly Team[] = [
  {
    namespace: 'payments',
    plans: { ledger: 'steady', settlement: 'retry', cards: 'steady' },
    sinks: { audit: HOOK, pager: 'http://127.0.0.1:9/pager' },
  },
  { namespace: 'search', plans: { crawler: 'abort', indexer: 'steady' }, sinks: { log: HOOK } },
  {
    namespace: 'media',
    plans: { encoder: 'steady', thumbnails: 'exhausted' },
    sinks: { log: HOOK, chat: 'http://127.0.0.1:8098/not/there' },
  },
];

function objectsOf({ namespace, plans, sinks }: Team): object[] {
  const [core, ours] = [{ apiVersion: 'v1' }, { apiVersion: GROUP }];
  return [
    { ...core, kind: 'Namespace', metadata: { name: namespace } },
    ...Object.entries(sinks).map(([name, url]) => ({
      ...{ ...core, kind: 'Secret', metadata: { name, namespace } },
      stringData: { config: JSON.stringify({ url, signing_secret: SIGNING_SECRET }) },
    })),
    ...Object.entries(plans).map(([name, night]) => ({
      ...{ ...ours, kind: 'HibernatePlan' },
      metadata: {
        name,
        namespace,
        labels: { team: namespace },
        annotations: { 'demo.hibernation.dev/night': night },
      },
      spec: {
        schedule: { timezone: 'UTC', offHours: [{ start: '20:00', end: '06:00', daysOfWeek: ['MON'] }] },
        execution: { strategy: { type: 'Sequential' } },
        behavior: { retries: 2 },
        targets: ['db', 'nodes', 'cache'].map((target) => ({
          name: `${name}-${target}`,
          type: 'rds',
          connectorRef: { kind: 'CloudProvider', name: 'aws' },
          parameters: {},
        })),
      },
    })),
    {
      ...{ ...ours, kind: 'HibernateNotification', metadata: { name: 'night', namespace } },
      spec: {
        selector: { matchLabels: { team: namespace } },
        onEvents: ['Start', 'Success', 'Failure', 'Recovery', 'ExecutionProgress'],
        sinks: Object.keys(sinks).map((name) => ({ name, type: 'webhook', secretRef: { name } })),
      },
    },
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'hnotif-pictures-'));
await cp('examples', folder, { recursive: true });
await writeFile(join(folder, '50-teams.yaml'), toYaml(TEAMS.flatMap(objectsOf)));
const dev = spawn(process.execPath, ['packages/hnotif/dist/hnotif.mjs', 'dev', `--examples=${folder}`], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await startBrowser();
try {
  const address = await pageAddress();
  const open = async (width: number, height: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 1.5 });
    await page.goto(address);
    return page;
  };
  const page = await open(1_200, 620, 'light');
  const [dark, phone] = [await open(1_200, 620, 'dark'), await open(360, 720, 'dark')];
  // Two nights, and the receiver that is down is known to be so.
  await page.getByRole('img', { name: /^ledger: .*parked/ }).waitFor({ timeout: 120_000 });
  await page
    .getByRole('img', { name: /^storefront: phase Active; ([6-9]\d|\d{3,}) / })
    .waitFor({ timeout: 120_000 });
  await dark.screenshot({ path: join(OUT, 'page-tonight-dark.png') });
  await phone.screenshot({ path: join(OUT, 'page-tonight-phone.png') });
  await page.screenshot({ path: join(OUT, 'page-tonight.png') });
  await page.getByRole('link', { name: 'ledger' }).click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await page.screenshot({ path: join(OUT, 'page-why.png') });
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByLabel('Receiver').selectOption('teamchat');
  await page
    .getByRole('link', { name: /#storefront-nights .*edited/ })
    .first()
    .click();
  await page.locator('.chat.teamchat').waitFor();
  await page.screenshot({ path: join(OUT, 'page-messages.png') });
  await page.getByRole('link', { name: 'Template' }).click();
  await page.locator('.chat').waitFor();
  await page.screenshot({ path: join(OUT, 'page-template.png') });
} finally {
  await browser.close();
  dev.kill('SIGKILL');
  await rm(folder, { recursive: true });
}

async function pageAddress(): Promise<string> {
  for await (const line of createInterface(dev.stdout)) {
    const [, address] = /^ +page +(http:\S+)/.exec(line) ?? [];
    // What it prints must be read, or it waits.
    dev.stdout.resume();
    if (address !== undefined) return address;
  }
  throw new Error('hnotif dev has ended');
}
