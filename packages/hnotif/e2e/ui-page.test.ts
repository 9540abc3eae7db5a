import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClockFile } from '../../lab/src/clock-file.ts';
import { barriers } from '../../ui/test/barriers.ts';
import { PATIENCE_MS } from '../../core/src/testing/patience.ts';
import { NO_BROWSER, startBrowser } from '../../ui/test/browser.ts';
import type { WhyAnswer } from '@hnotif/core/page';
import { DEV_PORTS, started, type Run } from './support/process.ts';

/** The lists and fields that are wider than the window. Users cannot scroll to their right end. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('main input, main select, main button, main a, main h2, main ul')]
    .filter((each) => each.closest('.scroll') === null && each.getBoundingClientRect().right > innerWidth)
    .map((each) => each.outerHTML.slice(0, 80))`);

describe.skipIf(NO_BROWSER !== '')('the page in Chromium', () => {
  let browser: Browser;
  /** One for all tests: a new one has a process of its own, which compiles the scripts anew. */
  let page: Page;
  const problems: string[] = [];
  /** One for all tests, in their order: its start costs more than what they do. The last tests stop it, and end it. */
  let dev: Run;
  let folder: string;
  let clock: ClockFile;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hnotif-clock-'));
    clock = await ClockFile.make(folder, 'dev', 0);
    dev = started(['dev', ...DEV_PORTS], clock.env);
    browser = await startBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => problems.push(error.message));
    // A policy that is violated is told here.
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  afterEach(async () => {
    // A question may be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    problems.length = 0;
  });
  afterAll(async () => {
    dev.kill('SIGKILL');
    await browser.close();
    await rm(folder, { recursive: true });
  });

  /** Opens the page of `hnotif dev`. */
  const open = async (run: Run, { width = 1_280, dark = false } = {}): Promise<void> => {
    const address = /http:\S+/.exec(await run.line(/^ +page +http/))?.[0] ?? '';
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(address);
  };

  const focused = (): Promise<string> => page.evaluate('document.activeElement.innerText');

  it('waits for an answer although more messages arrive meanwhile', async () => {
    // The first test: there are no more than 500 messages on a page, and then none that count as more.
    await open(dev);
    const givenUp: string[] = [];
    page.on('requestfailed', (request) => givenUp.push(request.url()));
    let answerNow = (): void => undefined;
    const newerArrived = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    await page.route('**/api/message?*', async (route) => {
      await newerArrived;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Messages' }).click();
    const messages = page.getByRole('link', { name: /night-log/ });
    await messages.first().click();
    const known = await messages.count();
    await expect.poll(() => messages.count()).toBeGreaterThan(known + 3);
    answerNow();
    await page.locator('pre.request').waitFor();
    expect(givenUp).toEqual([]);
  });

  // Early: each message that arrives meanwhile is one more for axe.
  it.each([
    { width: 1_280, dark: false },
    { width: 360, dark: true },
  ])('is accessible, with $width pixels, dark: $dark', async (look) => {
    await open(dev, look);
    await page.getByRole('img', { name: /^storefront: .*delivered/ }).waitFor();
    await page.locator('summary').click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'storefront' }).click();
    await page.getByRole('cell', { name: 'storefront/night-log' }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Messages' }).click();
    await page
      .getByRole('link', { name: /Telegram/ })
      .first()
      .click();
    await page.locator('.chat.botchat').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
  });

  it('shows the night of each plan, and explains a dot', async () => {
    await open(dev);
    const row = page.getByRole('img', { name: /^storefront: .*delivered/ });
    await row.waitFor();
    await row.focus();
    await page.keyboard.press('ArrowLeft');
    const told = page.locator('.tooltip');
    await told.waitFor();
    expect(await told.innerText()).toMatch(/^#\d+ \w+ → [\w-]+\/[\w-]+: (delivered|left out|waiting|late)/);
    await page.keyboard.press('Escape');
    await told.waitFor({ state: 'hidden' });
    // Phases and states differ with forced colours, too.
    await page.emulateMedia({ forcedColors: 'active' });
    await page.reload();
    const colours = `(() => {
      const canvas = document.querySelector('canvas.timeline');
      const pixels = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const solid = new Set();
      for (let at = 0; at < pixels.length; at += 4)
        if (pixels[at + 3] === 255) solid.add(pixels.slice(at, at + 3).join());
      return solid.size;
    })()`;
    await expect.poll(() => page.evaluate(colours)).toBeGreaterThan(9);
    await page.emulateMedia({ forcedColors: 'none' });
    expect(problems).toEqual([]);
  });

  it('finds plans, sinks and problems', async () => {
    await open(dev);
    const names = () => page.locator('.row .who a').allInnerTexts();
    await expect.poll(names).toEqual(['checkout', 'storefront', 'warehouse']);
    await page.getByLabel('Find').fill('ware');
    await expect.poll(names).toEqual(['warehouse']);
    await page.getByLabel('Find').fill('nothing like this');
    await page.getByText('No plan is like that').waitFor();
    await page.getByLabel('Find').fill('');
    // Its night ends in an error.
    await page.locator('.row .phase', { hasText: 'Error' }).first().waitFor();
    await page.getByLabel('only what is wrong').check();
    await expect.poll(names).toContain('checkout');
  });

  it('draws a message like its chat, with its thread, and shows the request without credentials', async () => {
    await open(dev);
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Receiver').selectOption('teamchat');
    await page
      .getByRole('link', { name: /#storefront-nights .*replied/ })
      .first()
      .click();
    const chat = page.locator('.chat.teamchat');
    await chat.getByText(/\d+ repl(y|ies)/).waitFor();
    const request = await page.locator('pre.request').innerText();
    expect(request).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/api\/chat\.postMessage/);
    expect(request).toContain('authorization: [redacted]');
    expect(request).not.toContain('xoxb');
    await page.getByLabel('Receiver').selectOption('webhook');
    await page
      .getByRole('link', { name: /night-log/ })
      .first()
      .click();
    await expect.poll(() => page.locator('pre.request').innerText()).toContain('"event":');
    expect(problems).toEqual([]);
  });

  it('explains where the notifications of a plan are', async () => {
    await open(dev);
    await page.getByRole('link', { name: 'warehouse' }).click();
    await page.getByRole('heading', { name: 'warehouse' }).waitFor();
    await page.getByText(/its label environment is dev, not staging$/).waitFor();
    await page.getByRole('cell', { name: 'outcomes/phone' }).first().waitFor();
    expect(await page.locator('.command code').allInnerTexts()).toContain(
      'hnotif why plan/warehouse -n hnotif-demo',
    );
    await page.emulateMedia({ media: 'print' });
    // On paper nothing can be scrolled.
    const cut =
      "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollHeight > e.clientHeight + 1)";
    expect(await page.evaluate(`${cut}.length`)).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("location.hash = '#why/nowhere/nothing'");
    await page.getByText(/Nothing is known about nowhere\/nothing/).waitFor();
    const plan = page.getByRole('combobox', { name: 'Plan' });
    await plan.fill('no such name');
    await plan.press('Enter');
    await page.getByText('No plan is like that, and no delivery').waitFor();
    expect(new URL(page.url()).hash).toBe('#why?find=no+such+name');
    // The words of an error. The table moves on while the night is played.
    await plan.fill('checkout being modified');
    await plan.press('Enter');
    await page.getByRole('heading', { name: /these words$/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Failure' }).first().dispatchEvent('click');
    await page.getByRole('heading', { name: 'Failure of checkout' }).waitFor();
    await page.getByRole('link', { name: 'Where is it?' }).click();
    // A part of a name is searched, too; a whole one opens the plan.
    await plan.fill('ware');
    await plan.press('Enter');
    await page.getByRole('heading', { name: /^1 plan has these words$/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'hnotif-demo/warehouse' }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'warehouse' }).waitFor();
    await plan.fill('checkout');
    await plan.press('Enter');
    await page.getByRole('heading', { name: 'checkout hnotif-demo' }).waitFor();
    // Of a plan that is not there, the browser tells the 404.
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('has an address for each delivery, from a dot, a row, a message and an id', async () => {
    await open(dev);
    const row = page.getByRole('img', { name: /^storefront: .*delivered/ });
    // The newest dots may be of deliveries that are not over, which have no address yet.
    const opened = async (): Promise<string> => {
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      return page.url();
    };
    const story = page.getByRole('heading', { name: / of storefront/ });
    // The journal keeps little progress: on a busy machine it has forgotten the delivery when the page asks for it.
    const isKnown = async (): Promise<boolean> => {
      await page.evaluate("location.hash = '#tonight'");
      await row.focus();
      await expect.poll(opened).toContain('#delivery/');
      await story.or(page.getByText(/^Delivery \S+ is not known/)).waitFor();
      return story.isVisible();
    };
    await expect.poll(isKnown).toBe(true);
    await page.evaluate("location.hash = '#why/hnotif-demo/checkout'");
    // The table moves on while the night is played.
    await page.getByRole('link', { name: 'Failure' }).first().dispatchEvent('click');
    await page.getByRole('heading', { name: 'Failure of checkout' }).waitFor();
    // Why the plan failed, as it was then.
    await page.locator('dd', { hasText: 'the instance is being modified' }).first().waitFor();
    const command = await page.locator('.command code', { hasText: 'hnotif trace' }).innerText();
    const [, id = ''] = /^hnotif trace ([a-z2-7]{12,52}) -n hnotif-demo$/.exec(command) ?? [];
    expect(id).not.toBe('');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Where is it?' }).click();
    const plan = page.getByRole('combobox', { name: 'Plan' });
    await plan.fill(id);
    await plan.press('Enter');
    await page.getByRole('heading', { name: 'Failure of checkout' }).waitFor();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Receiver').selectOption('webhook');
    await page
      .getByRole('link', { name: /night-log/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Its delivery' }).click();
    await page.locator('dl.facts, p.empty').first().waitFor();
    await page.evaluate(`location.hash = '#delivery/${id}'`);
    await page.getByText('Each sink has its own: choose one above.').waitFor();
    const log = page.getByRole('row', { name: /night-log/ });
    await log.getByRole('link').first().click();
    // The only one of the event: its request with the answer, and the message that the receiver got.
    await page.getByRole('heading', { name: /^Requests to .*night-log$/ }).waitFor();
    await page
      .getByRole('article', { name: 'Message' })
      .getByText(/"event": "Failure"/)
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.evaluate("location.hash = '#template?plan=hnotif-demo/warehouse&kind=Success'");
    await page.locator('.chat.teamchat').getByText('warehouse: Success').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#template\/[\w-]+$/);
    await page.evaluate("location.hash = '#delivery/aaaaaaaaaaaa'");
    await page.getByText('Delivery aaaaaaaaaaaa is not known').waitFor();
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('tells the night of a date: who failed and why, and the night before', async () => {
    await open(dev);
    // The night that the demo has begun: before noon it is called last night.
    await page.evaluate("location.hash = '#nights?zone=UTC'");
    const row = page.getByRole('row', { name: /^checkout hnotif-demo failed/ });
    await row.waitFor();
    expect(await row.innerText()).toContain('the instance is being modified');
    expect(await barriers(page)).toEqual([]);
    // The next view begins at its top, with the focus: the link that had it is gone.
    await page.setViewportSize({ width: 1_280, height: 501 });
    await page.evaluate("document.querySelector('main').style.paddingTop = '900px'");
    await row.getByRole('link').focus();
    await expect.poll(() => page.evaluate("document.querySelector('main').scrollTop")).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'checkout hnotif-demo' }).waitFor({ state: 'attached' });
    expect(await page.title()).toBe('hnotif-demo/checkout · Where is it? · hnotif');
    const place = "[document.activeElement.tagName, document.querySelector('main').scrollTop]";
    await expect.poll(() => page.evaluate(place)).toEqual(['MAIN', 0]);
    await page.evaluate("document.querySelector('main').style.paddingTop = ''");
    await page.goBack();
    await row.waitFor();
    await page.getByRole('button', { name: 'The night before' }).click();
    await page.getByText('Nothing happened').waitFor();
    await page.getByRole('button', { name: 'The night after' }).click();
    await row.waitFor();
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await page.getByRole('heading', { name: 'What needs a look' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sends a test message after a confirmation that shows the command', async () => {
    await open(dev);
    await page.getByRole('link', { name: 'storefront' }).click();
    const button = page.getByRole('button', { name: 'Send a test to night-log' });
    const dialog = page.getByRole('dialog');
    await button.click();
    await dialog.getByText('hnotif send storefront --sink night-log --event Start -n hnotif-demo').waitFor();
    // A key that is held down must not confirm what it has opened.
    expect(await focused()).toBe('Cancel');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    let answerNow = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    await page.route('**/api/action', async (route) => {
      await held;
      await route.continue();
    });
    await button.click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    // What runs goes on, and is not sent twice.
    await dialog.getByRole('button', { name: 'Close' }).click();
    await button.click();
    expect(await dialog.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    answerNow();
    await dialog.getByText('sent Start to sink night-log (webhook)').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Receiver').selectOption('webhook');
    await expect.poll(() => page.locator('body').innerText()).toContain('TEST-');
    expect(problems).toEqual([]);
  });

  it('keeps the dialog of a replay open when its deliveries have arrived', async () => {
    let state = 'failed';
    await page.route('**/api/why?*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as WhyAnswer;
      const deliveries = answer.deliveries.map((row) => ({ ...row, state }));
      await route.fulfill({ response, json: { ...answer, deliveries } });
    });
    await open(dev);
    await page.getByRole('link', { name: 'storefront' }).click();
    await page.getByRole('button', { name: 'Replay lost deliveries' }).click();
    state = 'delivered';
    await page.locator('button', { hasText: 'Replay lost deliveries' }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(problems).toEqual([]);
  });

  it('shows the output of a template for a plan of the cluster', async () => {
    await open(dev);
    await page.getByRole('link', { name: 'Template' }).click();
    await page.getByLabel('Event').selectOption({ label: 'a plan of the cluster' });
    await page.getByText('choose a plan').waitFor();
    await page.locator('.chat').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Plan', exact: true }).selectOption('hnotif-demo/warehouse');
    await page.locator('.chat.teamchat').getByText('warehouse: Failure').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('keeps a template, and the filter of the board, after a visit of another view', async () => {
    await open(dev);
    await page.getByLabel('Find').fill('ware');
    await page.getByLabel('Show').selectOption({ label: '12 hours' });
    await page.getByRole('link', { name: 'Template' }).click();
    const template = page.getByRole('textbox', { name: 'Template' });
    await template.click();
    await page.keyboard.type('my own words');
    await page.getByRole('link', { name: 'Tonight' }).click();
    expect(await page.getByLabel('Find').inputValue()).toBe('ware');
    expect(await page.getByLabel('Show').locator('option:checked').innerText()).toBe('12 hours');
    await page.getByRole('link', { name: 'Template' }).click();
    await expect.poll(() => template.innerText()).toContain('my own words');
    // Of an address with a template, it is the template as it was left.
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#template\/[\w-]+$/);
    await page.reload();
    await template.click();
    await page.keyboard.type('more of them');
    await page.getByRole('link', { name: 'Tonight' }).click();
    await page.getByRole('link', { name: 'Template' }).click();
    await expect.poll(() => template.innerText()).toContain('more of them');
  });

  it('has its filters and its zone in the address, for a link, another view and Back', async () => {
    await open(dev);
    const names = () => page.locator('.row .who a').allInnerTexts();
    await expect.poll(names).toHaveLength(3);
    await page.evaluate("location.hash = '#tonight?find=ware&show=43200000&zone=Asia%2FTokyo'");
    await expect.poll(names).toEqual(['warehouse']);
    expect(await page.getByLabel('Show').locator('option:checked').innerText()).toBe('12 hours');
    await page.locator('.axis', { hasText: 'Asia/Tokyo' }).waitFor();
    await page.getByLabel('Find').fill('check');
    await expect.poll(() => page.evaluate('location.hash')).toContain('find=check');
    await page.getByRole('link', { name: 'checkout' }).click();
    await page.getByRole('heading', { name: 'checkout' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe('#why/hnotif-demo/checkout?zone=Asia%2FTokyo');
    await page.goBack();
    await expect.poll(names).toEqual(['checkout']);
    await page.getByLabel('Times').selectOption('local');
    await page.locator('.axis', { hasText: 'local time' }).waitFor();
    await page.reload();
    await expect.poll(names).toEqual(['checkout']);
    await page.evaluate("location.hash = '#tonight?namespace=nope&at=2026-01-05T20:00:00Z'");
    await expect
      .poll(() => page.getByLabel('Namespace').locator('option').allInnerTexts())
      .toEqual(['all (1)', 'hnotif-demo', 'nope (no plans)']);
    await page.getByLabel('Namespace').selectOption('');
    await page.getByText(/paused at 2026-01-05 .*, with nothing to show: Nights has the past/).waitFor();
    expect(problems).toEqual([]);
  });

  it('prints the plans of the filter, not only those on the screen, and lets them go afterwards', async () => {
    const rows = Array.from({ length: 600 }, (_, at) => ({
      ...{ key: `shop/plan-${at}`, namespace: 'shop', plan: `plan-${at}`, phase: 'Active', operation: '' },
      spans: [{ phase: 'Active', from: 0 }],
    }));
    const head = { leader: 'served', serving: 'serving', unseen: [], hasMessages: true };
    const board = `data: ${JSON.stringify({ reset: true, head, rows, now: Date.now() })}\n\n`;
    await page.route('**/api/board', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: board }),
    );
    await open(dev, { dark: true });
    const onScreen = () => page.locator('.row').count();
    await page.getByText('600 plans').waitFor();
    const printed = async (print: () => Promise<unknown>): Promise<unknown> => {
      await page.evaluate(`addEventListener('beforeprint', () => {
        const canvas = [...document.querySelectorAll('canvas.timeline')].at(-1);
        const [red, green, blue] = canvas.getContext('2d').getImageData(9, canvas.height / 2, 1, 1).data;
        printed = {
          rows: document.querySelectorAll('.row').length,
          isLight: Math.min(red, green, blue) > 128,
          told: /Printed are .*$/m.exec(document.body.innerText)?.[0],
        };
      }, { once: true })`);
      await print();
      return page.evaluate('printed');
    };
    // Back returns to the row.
    const place = "[document.querySelector('.list').scrollTop, document.activeElement.innerText]";
    await page.evaluate("document.querySelector('.list').scrollTop = 8000");
    await page.getByRole('link', { name: 'plan-277', exact: true }).focus();
    const left = await page.evaluate(place);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is known about shop/plan-277').waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate(place)).toEqual(left);
    const told = 'Printed are the first 500 of 600 plans. To print others, choose them with the filter.';
    // As the browser does, without the pages.
    const asked = () =>
      page.evaluate("['beforeprint', 'afterprint'].map((type) => dispatchEvent(new Event(type)))");
    expect(await printed(asked)).toEqual({ rows: 500, isLight: true, told });
    await expect.poll(onScreen).toBeLessThan(100);
    await page.getByLabel('Find').fill('plan-1');
    await page.getByText('111 plans').waitFor();
    expect(await printed(() => page.pdf())).toEqual({ rows: 111, isLight: true });
    await expect.poll(onScreen).toBeLessThan(100);
  });

  it('says that the program is silent, shows its data as old, and goes on when it speaks again', async () => {
    await page.clock.install();
    await open(dev);
    await page.getByRole('link', { name: 'storefront' }).waitFor();
    dev.kill('SIGSTOP');
    await page.clock.fastForward(12_000);
    await page.getByText('The program has not said a word for 12 s.').waitFor();
    expect(await page.locator('main.stale').count()).toBe(1);
    const nights = (): number => dev.stdout.filter((line) => line.startsWith('the next night begins')).length;
    const before = nights();
    // As after Ctrl-Z, or a night in which the machine slept.
    clock.turn(8 * 3_600_000);
    dev.kill('SIGCONT');
    await page.locator('main:not(.stale)').waitFor();
    await page.getByRole('link', { name: 'storefront' }).waitFor();
    await expect.poll(() => (dev.hasEnded ? dev.stderr : nights())).toBe(before + 1);
  });

  it('says that the connection is lost, and keeps its data', async () => {
    await open(dev);
    await page.getByRole('link', { name: 'storefront' }).click();
    const delivery = page.getByRole('cell', { name: 'storefront/night-log' }).first();
    await delivery.waitFor();
    dev.kill('SIGKILL');
    await page.getByText('The connection to the program was lost').waitFor();
    expect(await delivery.count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
    // The connection is lost. The page must not say that the plan was deleted.
    await page.getByRole('combobox', { name: 'Plan' }).fill('hnotif-demo/checkout');
    await page.getByText('hnotif-demo/checkout could not be read: the program does not answer').waitFor();
    // The browser has not loaded this view yet.
    await page.getByRole('link', { name: 'Template' }).click();
    await page.getByText('This view could not be loaded: the program does not answer.').waitFor();
    await page.getByRole('link', { name: 'Tonight' }).click();
    await page.getByRole('link', { name: 'storefront' }).waitFor();
  });
});
