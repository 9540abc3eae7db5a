import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../packages/hnotif/package.json' with { type: 'json' };
import { PATIENCE_MS } from '../packages/core/src/testing/patience.ts';
import { NO_BROWSER, startBrowser } from '../packages/ui/test/browser.ts';
import { serve, type StaticServer } from '../packages/ui/test/static-server.ts';
import type { OutputFile } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const docs = join(root, 'docs');

const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** Hosts serve the site of a project below its name. */
const BASE = 'docs/hnotif/';
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const pages = (await readdir(docs, { recursive: true }))
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ source: file, name: file.replace(/README\.md$/, 'index.md').replace(/md$/, 'html') }));

it('the site has each page in a section of its side bar', async () => {
  const config = await readFile(join(site, '.vitepress/config.ts'), 'utf8');
  const missing = pages
    .map(({ source }) => source.slice(0, -3))
    .filter((page) => page !== 'README' && !config.includes(`'${page}'`));
  expect(missing).toEqual([]);
});

const NO_SITE = existsSync(join(site, 'node_modules'))
  ? ''
  : 'its packages are not installed: npm ci --prefix site';

describe.skipIf(NO_SITE !== '')(`the site${NO_SITE && ` (skipped: ${NO_SITE})`}`, () => {
  let files: OutputFile[];

  beforeAll(async () => {
    const built = await mkdtemp(join(tmpdir(), 'hnotif-site-'));
    try {
      const build = ['run', 'build', '--', '--base', `/${BASE}`, '--outDir', built];
      await promisify(execFile)('npm', build, { cwd: site });
      const entries = await readdir(built, { recursive: true, withFileTypes: true });
      const names = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(built.length + 1));
      files = await Promise.all(
        names.map(async (name) => ({ name: `${BASE}${name}`, contents: await readFile(join(built, name)) })),
      );
    } finally {
      await rm(built, { recursive: true });
    }
  });

  it('has all pages', () => {
    const names = new Set(files.map(({ name }) => name));
    expect(pages.filter(({ name }) => !names.has(`${BASE}${name}`))).toEqual([]);
  });

  describe.skipIf(NO_BROWSER !== '')(`in a browser${NO_BROWSER && ` (skipped: ${NO_BROWSER})`}`, () => {
    let server: StaticServer;
    let browser: Browser;
    /** One for all pages: a new one compiles the scripts anew. */
    let page: Page;
    let complaints: string[];
    let url: string;

    beforeAll(async () => {
      server = await serve(files);
      url = `${server.url}${BASE}`;
      browser = await startBrowser();
      page = await browser.newPage({ viewport: WIDE });
      page.setDefaultTimeout(PATIENCE_MS);
      page.on('pageerror', ({ message }) => complaints.push(`${page.url()}: ${message}`));
      page.on('console', (said) => {
        if (said.type() !== 'log') complaints.push(`${page.url()}: ${said.text()}`);
      });
      page.on('request', (request) => {
        if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(url))
          complaints.push(`${page.url()}: a request to ${request.url()}`);
      });
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });
    beforeEach(() => {
      complaints = [];
    });
    afterEach(() => {
      expect(complaints).toEqual([]);
    });

    /** Opens a page, and waits until its scripts work. */
    const open = async (name: string, viewport = WIDE): Promise<void> => {
      await page.setViewportSize(viewport);
      await page.goto(`${url}${name}`);
      await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined");
    };
    /** By how much the page is wider than the window (CSS pixels). */
    const excess = (): Promise<number> =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

    it('each page has its braces and no others, fits on a phone, and has no dead link', async () => {
      const found = new Map<string, Look>();
      for (const { source, name } of pages) {
        await open(name);
        const look = await page.evaluate<Look>(LOOK);
        found.set(`${url}${name}`, look);
        const text = await readFile(join(docs, source), 'utf8');
        expect.soft(look.braces, name).toEqual({ inCode: text.split('{{').length - 1, elsewhere: 0 });
        expect.soft(look.links, name).toContain(`${REPOSITORY}/edit/main/docs/${source}`);
        expect.soft(await excess(), `${name}, wide`).toBe(0);
        await page.setViewportSize(PHONE);
        expect.soft(await excess(), `${name}, on a phone`).toBe(0);
      }
      expect(found.size).toBeGreaterThan(30);
      const isDead = (link: string): boolean => {
        const [address = '', anchor = ''] = decodeURI(link).split('#');
        const path = /\/(?:blob|tree|edit)\/main\/(.+)$/.exec(address)?.[1];
        if (path !== undefined) return !existsSync(join(root, path));
        if (!address.startsWith(url)) return false;
        const target = found.get(address === url ? `${url}index.html` : address);
        if (target === undefined) return !files.some(({ name }) => address === `${server.url}${name}`);
        return anchor !== '' && !target.anchors.includes(anchor);
      };
      const dead = [...found].flatMap(([from, { links }]) =>
        links.filter(isDead).map((link) => `${from}: ${link}`),
      );
      expect(dead).toEqual([]);
    });

    it.each([
      ['wide', WIDE],
      ['on a phone', PHONE],
    ])('%s, it finds words, and its first page has a picture', async (_, viewport) => {
      await open('index.html', viewport);
      const picture = "document.querySelector('.vp-doc img')";
      await page.waitForFunction(`${picture}.complete`);
      expect(await page.evaluate(`${picture}.naturalWidth`)).toBeGreaterThan(1_000);
      expect(await page.evaluate(`${picture}.width`)).toBeGreaterThan(viewport.width / 3);
      await page.locator('.VPNavBarSearch button').click();
      for (const word of ['circuit', 'topic']) {
        await page.getByRole('searchbox').fill(word);
        const address = await page.locator('.result').first().getAttribute('href');
        const source = pages.find(({ name }) => address?.startsWith(`/${BASE}${name}`))?.source ?? '';
        expect(await readFile(join(docs, source), 'utf8')).toMatch(new RegExp(word, 'i'));
        expect(await excess()).toBe(0);
        await page.getByRole('searchbox').fill('');
        await page.locator('.result').first().waitFor({ state: 'detached' });
      }
    });

    it('has dark colours, and keeps the choice', async () => {
      const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await open('cli.html');
      const light = await colour();
      expect(light).toBe('rgb(255, 255, 255)');
      await page.locator('.VPNavBarAppearance button').click();
      await expect.poll(colour).toMatch(/^rgb\(\d\d, \d\d, \d\d\)$/);
      await open('index.html', PHONE);
      expect(await colour()).toMatch(/^rgb\(\d\d, \d\d, \d\d\)$/);
      await page.locator('.VPNavBarHamburger').click();
      await page.locator('.VPNavScreenAppearance button').click();
      await expect.poll(colour).toBe(light);
    });

    it('has the playground', async () => {
      await open('templates.html');
      await page.locator('.vp-doc').getByRole('link', { name: 'the playground' }).click();
      await page.waitForURL(/\/playground\/index\.html#template\/[\w-]+$/);
      await page.locator('.chat').getByText('web-shop').first().waitFor();
    });
  });
});

/** What a test wants to know of a page. */
interface Look {
  /** How many braces of templates are in the code of the page, and how many in any other text. */
  readonly braces: { readonly inCode: number; readonly elsewhere: number };
  readonly links: readonly string[];
  readonly anchors: readonly string[];
}

/** Runs in the page. */
const LOOK = `(() => {
  const count = (nodes) => nodes.reduce((sum, { textContent }) => sum + textContent.split('{{').length - 1, 0);
  const body = document.body.cloneNode(true);
  const code = [...body.querySelectorAll('.vp-doc pre, .vp-doc :not(pre) > code')];
  const inCode = count(code);
  for (const node of [...code, ...body.querySelectorAll('script')]) node.remove();
  return {
    braces: { inCode, elsewhere: count([body]) + document.title.split('{{').length - 1 },
    links: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
    anchors: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  };
})()`;
