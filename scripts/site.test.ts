import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const docs = join(root, 'docs');

const pages = (await readdir(docs, { recursive: true })).filter((file) => file.endsWith('.md'));

describe('the site', () => {
  it('has each page in a section of its side bar', async () => {
    const config = await readFile(join(site, '.vitepress/config.ts'), 'utf8');
    const missing = pages
      .map((file) => file.slice(0, -3))
      .filter((page) => page !== 'README' && !config.includes(`'${page}'`));
    expect(missing).toEqual([]);
  });

  it.skipIf(!existsSync(join(site, 'node_modules')))(
    'builds offline: no page has a dead link, templates stay as they are, and words are found',
    async () => {
      await promisify(execFile)('npm', ['run', 'build'], { cwd: site });
      const built = join(site, 'dist');
      for (const page of pages) {
        const file = page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html');
        const html = await readFile(join(built, file), 'utf8');
        // Everything that a page loads is its own.
        expect([...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"/g)]).toEqual([]);
      }
      expect(await readFile(join(built, 'templates.html'), 'utf8')).toContain('{{ ');
      const chunks = await readdir(join(built, 'assets'), { recursive: true });
      expect(chunks.filter((name) => name.includes('localSearchIndex'))).not.toEqual([]);
    },
  );
});
