import { expect, test } from 'vitest';
import { expectGolden } from '../../../testing/golden.ts';
import { parseBlocks } from '../blocks.ts';
import { LAYOUTS, SCOPES } from '../types.ts';
import { presetMessage } from './preset.ts';
import { CASES, OPTIONS } from './testing/sources.ts';

test.each(LAYOUTS)('messages of layout %s are as they were', async (layout) => {
  const options = { ...OPTIONS, layout, scopes: SCOPES };
  const messages = Object.fromEntries(CASES.map(([name, source]) => [name, presetMessage(source, options)]));
  const file = new URL(`./golden/${layout}.json`, import.meta.url);
  await expectGolden(file, `${JSON.stringify(messages, undefined, 2)}\n`);
  for (const message of Object.values(messages))
    expect(parseBlocks(JSON.stringify(message), '')).toEqual({ ok: true, message });
});
