import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { OutputFile } from '../../../scripts/bundle.ts';
import { playgroundFiles } from '../../../scripts/ui-files.ts';
import { encodeWork } from '../src/editor/address-code.ts';
import { RECIPES } from '../src/editor/cookbook.ts';
import { barriers } from './barriers.ts';
import { PATIENCE_MS } from '../../core/src/testing/patience.ts';
import { NO_BROWSER, startBrowser } from './browser.ts';
import { serve, type StaticServer } from './static-server.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

describe.skipIf(NO_BROWSER !== '')(`the template editor${NO_BROWSER && ` (skipped: ${NO_BROWSER})`}`, () => {
  let files: readonly OutputFile[];
  let server: StaticServer;
  let browser: Browser;
  /** One for all tests: a new one has a process of its own, which compiles the scripts anew. */
  let page: Page;
  /** What the browser complains of, such as a violation of the page's policy, and requests to other places. */
  let complaints: string[];

  beforeAll(async () => {
    ({ files } = await playgroundFiles());
    server = await serve(files);
    browser = await startBrowser();
    page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (said) => {
      if (said.type() !== 'log') complaints.push(said.text());
    });
    page.on('request', (request) => {
      // The script of a worker is a part of the page.
      if (!request.url().startsWith(origin) && !request.url().startsWith('blob:'))
        complaints.push(`a request to ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  let origin: string;
  const open = async (
    { viewport, colorScheme = 'light' }: { viewport: typeof WIDE; colorScheme?: 'light' | 'dark' },
    address = '',
    from = server.url,
  ): Promise<void> => {
    origin = from;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${from}${address}`);
  };
  const textbox = () => page.getByRole('textbox', { name: 'Template' });
  const requests = () => page.getByRole('region', { name: /^Request \d/ });
  const problems = () => page.locator('.problem:not(:empty)');
  const choose = (label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption(option);
  /** Replaces the template as a user pastes. */
  const write = async (template: string): Promise<void> => {
    await textbox().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(template)})`);
    await page.keyboard.press('ControlOrMeta+v');
  };

  beforeEach(() => {
    complaints = [];
  });
  afterEach(async () => {
    // Nothing of a test is left to the next one.
    await page.goto('about:blank');
    expect(complaints).toEqual([]);
  });

  it('shows the message of what is typed, as the chat draws it, and its request', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'slack-text');
    await textbox().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Backspace');
    // The closing braces are there when they are typed.
    await page.keyboard.type('Typed: *{{ .Plan.Name | upper }}*');
    await page.locator('.chat b').getByText('WEB-SHOP', { exact: true }).waitFor();
    const [request = ''] = await requests().allTextContents();
    expect(request).toContain('POST https://hooks.slack.com/[redacted]');
    expect(request).toContain('"text": "Typed: *WEB-SHOP*"');
    await page.getByLabel('body as it is sent').check();
    await requests().getByText('{"text":"Typed: *WEB-SHOP*"}').waitFor();
    await page.getByText('the message is the same for each event').waitFor();
  });

  it('starts from each recipe, none of which has a fault', async () => {
    await open({ viewport: WIDE });
    for (const { title, sink, template } of RECIPES) {
      await page.getByLabel('Start from').selectOption({ label: title });
      const bare = template.replace(/\s+/g, '');
      await expect.poll(async () => (await textbox().innerText()).replace(/\s+/g, '')).toBe(bare);
      expect(await page.getByLabel('Sink').inputValue()).toBe(sink);
      for (const hostile of [false, true]) {
        await page.getByLabel('hostile texts').setChecked(hostile);
        await requests().first().waitFor();
        await page.getByText('No mistakes found').waitFor();
        expect(await problems().allTextContents(), title).toEqual([]);
      }
    }
  });

  it('underlines a mistake, and writes what is suggested', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'slack-text');
    await write('é {{ .PlanName }} {{ lowr .Event }}');
    const mistakes = page.locator('.cm-lintRange-error');
    await expect.poll(() => mistakes.allTextContents()).toEqual(['.PlanName', 'lowr']);
    await page.getByText('sink.Payload has no field PlanName; did you mean .Plan.Name?').waitFor();
    await page.getByRole('button', { name: 'Write .Plan.Name' }).click();
    await expect.poll(() => mistakes.allTextContents()).toEqual(['lowr']);
    // The other one in the text itself.
    await mistakes.hover();
    await page.locator('.cm-tooltip').getByRole('button', { name: 'Write lower' }).click();
    await page.getByText('No mistakes found').waitFor();
    expect(await textbox().innerText()).toContain('é {{ .Plan.Name }} {{ lower .Event }}');
    await page.locator('.chat').getByText('é web-shop failure').waitFor();
  });

  it('tells of a syntax error, and what is sent instead', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'telegram-html');
    await write('fine\n{{ if .Event }}x');
    await page.getByText('Error: unexpected EOF').waitFor();
    expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['{{ if .Event }}x']);
    expect(await problems().allTextContents()).toEqual([expect.stringContaining('unexpected EOF')]);
    await page.locator('.chat').getByText('shop-eu/web-shop').waitFor();
  });

  it('completes fields and functions, with their documentation', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'slack-text');
    await write('');
    await page.keyboard.type('{{ .Pl');
    const list = page.locator('.cm-tooltip-autocomplete');
    const option = (text: RegExp) => list.getByRole('option').filter({ hasText: text });
    await page.locator('.cm-completionInfo').getByText('prints as namespace/name').waitFor();
    await option(/^Plan\s*PlanInfo$/).click();
    await page.keyboard.type('.Nam');
    await option(/^Namespace\s*string$/).waitFor();
    await option(/^Name\s*string$/).click();
    await page.keyboard.type(' | escapeSl');
    await option(/^escapeSlack\s*\(string\) string$/).click();
    await expect.poll(() => textbox().innerText()).toContain('{{ .Plan.Name | escapeSlack}}');
    await page.locator('.chat').getByText('web-shop').waitFor();
  });

  it('tells of a template that never ends, and goes on', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'webhook');
    await write(
      '{{ range until 100000 }}{{ range until 1000 }}{{ $x := printf "%v %v" $ $ }}{{ end }}{{ end }}',
    );
    await problems()
      .filter({ hasText: /The template took too long|exceeded the \w+ limit/ })
      .waitFor();
    await page.getByText('Let the template do less').waitFor();
    await page.locator('.rendered').getByText('web-shop').waitFor();
    await write('good again');
    await page.locator('.rendered').getByText('good again').waitFor();
    expect(await problems().allTextContents()).toEqual([]);
  });

  it('ends a worker that does not answer, and shows what is sent instead', async () => {
    // Whatever the engine may do, this never ends. The worker's script begins with it.
    const stuck = `addEventListener('message', ({ data }) => {
      while (data.template === 'stuck' && !data.timedOut);
    });\n`;
    const changed = await page.addInitScript(`
      Blob = class extends Blob {
        constructor(parts, options) {
          super(options?.type === 'text/javascript' ? [${JSON.stringify(stuck)}, ...parts] : parts, options);
        }
      };`);
    await open({ viewport: WIDE });
    await changed.dispose();
    await choose('Sink', 'webhook');
    await write('stuck');
    await problems().filter({ hasText: 'The template took too long and was ended' }).waitFor();
    await page.locator('.rendered').getByText('web-shop').waitFor();
    await write('not any more');
    await page.locator('.rendered').getByText('not any more').waitFor();
  });

  it('works as a file, without a server', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'hnotif-playground-')), 'editor.html');
    try {
      await writeFile(file, files[0]?.contents ?? '');
      await open({ viewport: WIDE }, '', pathToFileURL(file).href);
      await choose('Sink', 'webhook');
      // The data of zones are looked for in the file, too.
      await write('{{ dateInZone "15:04 MST" .Timestamp "Asia/Tokyo" }}');
      await page.locator('.rendered').getByText('JST').waitFor();
      await page.waitForURL(/#template\/[\w-]+$/);
    } finally {
      await rm(dirname(file), { recursive: true });
    }
  });

  it('keeps the work in the address', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'webhook');
    await choose('Kind', 'Recovery');
    await choose('Targets', '100');
    await write('kept: {{ len .Targets }} ünïcode');
    await page.locator('.rendered').getByText('kept: 100 ünïcode').waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied: the link holds the template and the event.').waitFor();
    const kept = page.url();
    expect(kept).toMatch(/#template\/[\w-]+$/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(kept);
    const isRestored = async (): Promise<void> => {
      await page.locator('.rendered').getByText('kept: 100 ünïcode').waitFor();
      expect(await page.getByLabel('Kind').inputValue()).toBe('Recovery');
      expect(await page.getByLabel('Sink').inputValue()).toBe('webhook');
    };
    await page.reload();
    await isRestored();
    // A link to other work in the same page.
    await write('changed');
    await page.locator('.rendered').getByText('changed').waitFor();
    await page.waitForURL((url) => url.href !== kept);
    await page.goto(kept);
    await isRestored();
  });

  it('says that an address holds nothing', async () => {
    await open({ viewport: WIDE }, '#template/cut');
    await page.getByRole('alert').getByText('The address holds no template').waitFor();
    await requests().first().waitFor();
  });

  it('checks the template of a link though its plan cannot be read', async () => {
    const event = { from: 'plan', kind: 'Failure', namespace: 'shop', name: 'gone' } as const;
    const code = await encodeWork({ template: '{{ .PlanName }}', sink: 'webhook', event });
    await open({ viewport: WIDE }, `#template/${code}`);
    await page.getByText('this page knows no cluster; choose an example').waitFor();
    await page.getByText('There is no message, because the event cannot be used.').waitFor();
    await page.getByLabel('Mistakes in the template').getByText('has no field PlanName').waitFor();
    expect(await page.getByText('Making the message').count()).toBe(0);
  });

  it('copies a config map, or shows it where nothing may be copied', async () => {
    await open({ viewport: WIDE });
    await write('{{ .Plan }}\n  second line');
    await page.getByRole('button', { name: 'Copy as config map' }).click();
    await page.getByText('Copied: a config map night-words').waitFor();
    const copied: unknown = await page.evaluate('navigator.clipboard.readText()');
    const expected = { kind: 'ConfigMap', data: { 'template.gotpl': '{{ .Plan }}\n  second line' } };
    expect(parse(String(copied))).toMatchObject(expected);
    await page.keyboard.press('Shift+Tab');
    await textbox().press('x');
    await page.getByText('Copied: a config map night-words').waitFor({ state: 'hidden' });
    await textbox().press('Backspace');

    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole('button', { name: 'Copy as config map' }).click();
    const shown = await page.getByLabel('This browser does not let the page copy').inputValue();
    expect(parse(shown)).toMatchObject(expected);
  });

  it('takes an event as JSON, and says what is wrong with it', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'webhook');
    await write('{{ .Event }} of {{ .Plan.Name }}');
    await choose('Event', 'json');
    const json = page.getByLabel('JSON of the event, or what a webhook received');
    await page.locator('.rendered').getByText('Failure of web-shop').waitFor();
    await json.fill('{"event": "Start", "plan": {"name": 7}}');
    await page.getByText('plan.name: must be a string, found a number').waitFor();
    expect(await json.getAttribute('aria-invalid')).toBe('true');
    expect(await requests().count()).toBe(0);
    await json.fill('{"event": "Start", }');
    await page.getByText('this is not JSON: see line 1, column 20').waitFor();
    await json.fill('{"context": {"event": "Start", "plan": {"name": "ledger"}}}');
    await page.locator('.rendered').getByText('Start of ledger').waitFor();
    expect(await problems().count()).toBe(0);
    // A look at an example does not take it away.
    await choose('Event', 'example');
    await page.locator('.rendered').getByText('Failure of web-shop').waitFor();
    await choose('Event', 'json');
    await page.locator('.rendered').getByText('Start of ledger').waitFor();
  });

  it('types over a selection, and undoes it', async () => {
    await open({ viewport: WIDE });
    await write('{{ .Plan.Name }}');
    await expect.poll(() => textbox().innerText()).toBe('{{ .Plan.Name }}');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('xy');
    await expect.poll(() => textbox().innerText()).toBe('xy');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('(');
    await expect.poll(() => textbox().innerText()).toBe('(xy)');
    for (let step = 0; step < 2; step++) await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => textbox().innerText()).toBe('{{ .Plan.Name }}');
  });

  it('shows characters that hide or turn others', async () => {
    await open({ viewport: WIDE });
    await write('a\u202eb\u0000c\u200bd');
    await expect.poll(() => page.locator('.cm-specialChar').count()).toBe(3);
  });

  it('reports a template that is too long', async () => {
    await open({ viewport: WIDE });
    await write('x\n'.repeat(40_000));
    const mistakes = page.getByLabel('Mistakes in the template');
    await mistakes.getByText('line 32769').waitFor();
    await mistakes.getByText('Error: exceeded the source limit (65536 characters)').waitFor();
    await page.getByText('Make the template shorter.').waitFor();
  });

  it('does not call a template good if the chat refuses its output', async () => {
    await open({ viewport: WIDE });
    await choose('Sink', 'slack-json');
    await write('no JSON');
    await page.getByText('the output is not JSON').waitFor();
    await page.getByText('See under “Message” what is wrong.').waitFor();
    expect(await page.getByText('No mistakes found').count()).toBe(0);
  });

  it('is left with Escape and Tab; Tab alone indents', async () => {
    await open({ viewport: WIDE });
    await write('x');
    await page.keyboard.press('Tab');
    await expect.poll(() => textbox().innerText()).toMatch(/^\s+x/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Copy as config map');
  });

  // Contrasts do not depend on the width, nor places on the colours.
  it.each([
    ['light and wide', 'light', WIDE],
    ['dark and on a phone', 'dark', PHONE],
  ] as const)(
    '%s has no fault that axe finds, and no part beside the page',
    async (_, colorScheme, viewport) => {
      await open({ viewport, colorScheme });
      const check = async (): Promise<void> => {
        await requests().first().waitFor();
        expect(await barriers(page)).toEqual([]);
        const width = await page.evaluate(
          "Math.max(...[document.documentElement, document.querySelector('main')].map((each) => each.scrollWidth))",
        );
        expect(width).toBeLessThanOrEqual(viewport.width);
      };
      await check();
      await choose('Sink', 'telegram-html');
      await write('<a href="https://example.com">x</a> <code>{{ .Event }}</code> {{ .PlanName }}');
      await page.locator('.lint .error').waitFor();
      await check();
      await write('<a href="https://example.com">x</a> <code>{{ .Event }}</code> <b>/run</b> #tag');
      await page.locator('.chat').getByText('#tag').waitFor();
      await check();
      await choose('Sink', 'webhook');
      await choose('Event', 'json');
      await page.locator('.rendered').waitFor();
      await check();
      await choose('Event', 'example');
      await choose('Sink', 'slack-thread-json');
      await page.getByText('The template has no effect').waitFor();
      await check();
    },
  );
});
