import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { playgroundFiles, uiFiles } from './ui-files.ts';

const [page, playground] = await Promise.all([uiFiles(), playgroundFiles()]);

/** Bytes, compressed. */
const MOST = 450_000;

describe('the template editor', () => {
  it('is one file of less than 450 kB, and its policy permits only its own script and style', () => {
    const { files } = playground;
    expect(files.map(({ name }) => name)).toEqual(['index.html']);
    const text = Buffer.from(files[0]?.contents ?? []);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(MOST);
    const policy = /content="(default-src [^"]+)"/.exec(text.toString())?.[1];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; worker-src blob:;/,
    );
    expect(text.toString()).not.toMatch(/<(?:script|link|img)\b[^>]*(?:src|href)="(?!data:)/);
  });
});

describe.each([
  ['the page of hnotif ui', page],
  ['the template editor', playground],
])('%s', (_, { files }) => {
  it('needs no module of Node, and lies in one folder', () => {
    for (const { name, contents } of files) {
      expect(name).not.toContain('/');
      expect(Buffer.from(contents).toString()).not.toMatch(/["']node:|\bprocess\./);
    }
  });
});
