import { describe, expect, it } from 'vitest';
import { firstLoad, playgroundFiles, uiFiles } from './ui-files.ts';

/** Bytes, compressed. */
const MOST = 400_000;

describe('the template editor as static files', () => {
  it('loads less than 400 kB', async () => {
    const load = firstLoad(await playgroundFiles());
    const names = load.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['index.html', 'playground.css', 'playground.js', 'worker.js']),
    );
    expect(load.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MOST);
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
