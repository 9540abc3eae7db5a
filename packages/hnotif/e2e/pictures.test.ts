import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, startBrowser } from '../../ui/test/browser.ts';
import { MESSAGES, pageOf } from './pictures/messages.ts';
import { examplesWithTeams } from './pictures/teams.ts';
import { DEV_PORTS, hnotif } from './support/process.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/img');
/** `HNOTIF_PICTURES=write` writes docs/img. Fonts differ between machines, so otherwise only widths and texts are compared. */
const WRITES = process.env.HNOTIF_PICTURES === 'write';

/** A picture has two nights beside each other; a test is content with two short ones. */
const SPEED = WRITES ? 1 : 10;

/** The width of a PNG (pixels), from its header. */
const widthOf = (png: Buffer): number => png.readUInt32BE(16);

async function keep(name: string, png: Buffer): Promise<void> {
  const file = join(IMAGES, `${name}.png`);
  if (WRITES) await writeFile(file, png);
  expect(widthOf(png)).toBe(widthOf(await readFile(file)));
}

describe.skipIf(NO_BROWSER !== '')('the pictures of the docs', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(Object.entries(MESSAGES))('%s shows the current messages', async (name, picture) => {
    const page = await browser.newPage({
      viewport: { width: picture.width, height: 400 },
      deviceScaleFactor: 2,
    });
    await page.setContent(await pageOf(picture));
    const main = page.locator('main');
    const { y = 0, height = 0 } = (await main.boundingBox()) ?? {};
    await page.setViewportSize({ width: picture.width, height: Math.ceil(y + height) });
    await expect(await main.innerText()).toMatchFileSnapshot(`./pictures/texts/${name}.txt`);
    await keep(name, await page.screenshot());
    await page.close();
  });

  it('the page is rendered', async () => {
    const run = hnotif(['dev', `--examples=${await examplesWithTeams()}`, `--speed=${SPEED}`, ...DEV_PORTS]);
    const address = /http:\S+/.exec(await run.line(/^ +page +http/))?.[0] ?? '';
    const open = async (width: number, height: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme,
        deviceScaleFactor: 1.5,
      });
      await page.goto(address);
      return page;
    };
    const pages = {
      'page-tonight': await open(1_200, 620, 'light'),
      'page-tonight-dark': await open(1_200, 620, 'dark'),
      'page-tonight-phone': await open(360, 720, 'dark'),
    };
    const page = pages['page-tonight'];
    // Two nights, and the receiver that is down is known to be so.
    await page.getByRole('img', { name: /^ledger: .*parked/ }).waitFor({ timeout: 120_000 });
    await page
      .getByRole('img', { name: /^storefront: phase Active; ([6-9]\d|\d{3,}) / })
      .waitFor({ timeout: 120_000 });
    for (const [name, shown] of Object.entries(pages)) await keep(name, await shown.screenshot());
    await page.getByRole('link', { name: 'ledger' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await keep('page-why', await page.screenshot());
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Receiver').selectOption('teamchat');
    await page
      .getByRole('link', { name: /#storefront-nights .*edited/ })
      .first()
      .click();
    await page.locator('.chat.teamchat').waitFor();
    await keep('page-messages', await page.screenshot());
    await page.getByRole('link', { name: 'Template' }).click();
    await page.locator('.chat').waitFor();
    await keep('page-template', await page.screenshot());
  });
});
