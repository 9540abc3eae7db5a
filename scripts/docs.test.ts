import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOTCHAT_CONFIG } from '../packages/hnotif/src/sinks/botchat/config.ts';
import { TEAMCHAT_CONFIG } from '../packages/hnotif/src/sinks/teamchat/config.ts';
import { WEBHOOK_CONFIG } from '../packages/hnotif/src/sinks/webhook/config.ts';
import { stalePages } from './docs.ts';

describe('the pages made from the code', () => {
  it('are up to date: node --import tsx scripts/docs.ts writes them', async () => {
    expect(await stalePages()).toEqual([]);
  });
});

/** Each with a configuration that has only what is required. */
const SINKS = [
  { page: 'teamchat', schema: TEAMCHAT_CONFIG, least: {} },
  { page: 'botchat', schema: BOTCHAT_CONFIG, least: { token: '1:a', chat_id: '1' } },
  { page: 'webhook', schema: WEBHOOK_CONFIG, least: { url: 'https://example.com' } },
];

describe.each(SINKS)('docs/$page.md', ({ page, schema, least }) => {
  it('lists the fields of the configuration, with their defaults', async () => {
    const text = await readFile(join(import.meta.dirname, `../docs/${page}.md`), 'utf8');
    const [section = ''] = text
      .slice(text.indexOf('\n## Configuration\n') + 1)
      .split(/^## (?!Configuration)/m);
    const rows = Array.from(
      section.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm),
      ([, field = '', standard = '']) => [field, standard.replaceAll('`', '').trim()] as const,
    );
    expect(rows.map(([field]) => field).sort()).toEqual(Object.keys(schema.shape).sort());
    const defaults = schema.parse(least) as Record<string, unknown>;
    for (const [field, standard] of rows) {
      const value = defaults[field];
      if (Object.hasOwn(least, field) || typeof value === 'object' || value === undefined) continue;
      expect([field, standard]).toEqual([field, String(value as string | number | boolean)]);
    }
  });
});
