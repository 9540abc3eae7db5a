import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { playgroundFiles, uiFiles } from './ui-files.ts';

/** Bytes, compressed. */
const MOST = 450_000;

describe('the template editor', () => {
  it('is one file of less than 450 kB, and its policy permits only its own script and style', async () => {
    const { files } = await playgroundFiles();
    expect(files.map(({ name }) => name)).toEqual(['index.html']);
    const page = Buffer.from(files[0]?.contents ?? []);
    expect(gzipSync(page, { level: 9 }).length).toBeLessThan(MOST);
    const policy = /content="(default-src [^"]+)"/.exec(page.toString())?.[1];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; worker-src blob:;/,
    );
    expect(page.toString()).not.toMatch(/<(?:script|link|img)\b[^>]*(?:src|href)="(?!data:)/);
  });
});

describe.each([
  ['the page of hnotif ui', uiFiles],
  ['the template editor', playgroundFiles],
])('%s', (_, filesOf) => {
  it('needs no module of Node, and lies in one folder', async () => {
    const { files } = await filesOf();
    for (const { name, contents } of files) {
      expect(name).not.toContain('/');
      expect(Buffer.from(contents).toString()).not.toMatch(/["']node:|\bprocess\./);
    }
  });
});
