import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseBlocks } from '../blocks.ts';
import { LAYOUTS, SCOPES } from '../types.ts';
import { presetMessage } from './preset.ts';
import { CASES, OPTIONS } from './testing/sources.ts';

/** `UPDATE_GOLDEN=1` writes the files anew: look at the difference, it is what people will see. */
test.each(LAYOUTS)('messages of layout %s are as they were', async (layout) => {
  const options = { ...OPTIONS, layout, scopes: SCOPES };
  const messages = Object.fromEntries(CASES.map(([name, source]) => [name, presetMessage(source, options)]));
  const text = `${JSON.stringify(messages, undefined, 2)}\n`;
  const file = new URL(`./golden/${layout}.json`, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
  expect(text).toBe(await readFile(file, 'utf8'));
  for (const message of Object.values(messages))
    expect(parseBlocks(JSON.stringify(message), '')).toEqual({ ok: true, message });
});
