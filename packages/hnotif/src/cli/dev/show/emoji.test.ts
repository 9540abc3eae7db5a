import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withEmoji } from '@hnotif/receivers/view';

const ROOT = join(import.meta.dirname, '../../../../../..');
/** What hnotif's own messages are made of, and the examples. */
const FOLDERS = [
  join(ROOT, 'packages/core/src/sinks/teamchat'),
  join(ROOT, 'packages/core/src/render/templates/teamchat'),
  join(ROOT, 'examples'),
];

async function textsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) =>
      entry.isFile() && !/\.test\.ts$|[\\/](testing|golden)[\\/]/.test(join(entry.parentPath, entry.name)),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  // Comments speak of other ones.
  return texts.map((text) => text.replace(/\/\*[^]*?\*\//g, '').replace(/^ *\/\/.*/gm, ''));
}

it('every shortcode of hnotif’s messages and of the examples has its emoji', async () => {
  const texts = (await Promise.all(FOLDERS.map(textsOf))).flat();
  const codes = new Set(texts.flatMap((text) => text.match(/(?<![\w:]):[a-z][a-z_]*:(?![\w:])/g) ?? []));
  expect([...codes]).toEqual(expect.arrayContaining([':x:', ':crescent_moon:', ':rotating_light:']));
  expect([...codes].filter((code) => withEmoji(code) === code)).toEqual([]);
});

it('others stay as they are', () => {
  expect(withEmoji(':x::no_such_thing::x: 20:03:05')).toBe('❌:no_such_thing:❌ 20:03:05');
});
