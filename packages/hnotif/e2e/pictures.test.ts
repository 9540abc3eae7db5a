import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHATS } from '@hnotif/receivers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../core/src/testing/patience.ts';
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
  /** On which the messages are shown: each page costs the start of a process. */
  let sheet: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    sheet = await browser.newPage({ deviceScaleFactor: 2 });
  });
  afterAll(() => browser.close());

  it.each(Object.entries(MESSAGES))('%s shows the current messages', async (name, picture) => {
    const { width } = CHATS[picture.sink];
    await sheet.setViewportSize({ width, height: 400 });
    await sheet.setContent(await pageOf(picture));
    const main = sheet.locator('main');
    const { y = 0, height = 0 } = (await main.boundingBox()) ?? {};
    await sheet.setViewportSize({ width, height: Math.ceil(y + height) });
    await expect(await main.innerText()).toMatchFileSnapshot(`./pictures/texts/${name}.txt`);
    await keep(name, await sheet.screenshot());
    if (picture.inDark !== true) return;
    await sheet.emulateMedia({ colorScheme: 'dark' });
    await keep(`${name}-dark`, await sheet.screenshot());
    await sheet.emulateMedia({ colorScheme: 'light' });
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
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(address);
      return page;
    };
    const page = await open(1_200, 620, 'light');
    // A picture does not show the name of the machine that made it.
    await page.getByText(/^served by hnotif-dev_/).waitFor();
    // Two nights, and the receiver that is down is known to be so.
    await page.getByRole('img', { name: /^ledger: .*parked/ }).waitFor();
    await page.getByRole('img', { name: /^storefront: phase Active; ([6-9]\d|\d{3,}) / }).waitFor();
    await keep('page-tonight', await page.screenshot());
    for (const [name, width, height] of [
      ['page-tonight-dark', 1_200, 620],
      ['page-tonight-phone', 360, 720],
    ] as const) {
      const dark = await open(width, height, 'dark');
      await dark.getByRole('img', { name: /^storefront: / }).waitFor();
      await keep(name, await dark.screenshot());
      await dark.close();
    }
    await page.getByRole('link', { name: 'ledger' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await keep('page-why', await page.screenshot());
    await page.getByRole('link', { name: 'Nights' }).click();
    await page.getByRole('row', { name: /^checkout hnotif-demo/ }).waitFor();
    await keep('page-nights', await page.screenshot());
    await page.evaluate("location.hash = '#why?find=checkout+failure'");
    await page.getByRole('link', { name: 'Failure' }).first().dispatchEvent('click');
    await page.getByRole('heading', { name: 'Failure of checkout' }).waitFor();
    await keep('page-delivery', await page.screenshot());
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
