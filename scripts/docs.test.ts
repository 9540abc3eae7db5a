import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SINK_TYPES } from '@hnotif/core/resources';
import { EXAMPLES, SINKS } from '@hnotif/core/sinks';
import { stalePages } from './docs.ts';

describe('the pages made from the code', () => {
  it('are up to date: node --import tsx scripts/docs.ts writes them', async () => {
    expect(await stalePages()).toEqual([]);
  });
});

describe.each(SINK_TYPES)('docs/%s.md', (type) => {
  it('lists the fields of the configuration, with their defaults', async () => {
    const { schema } = SINKS[type];
    const text = await readFile(join(import.meta.dirname, `../docs/${type}.md`), 'utf8');
    const [section = ''] = text
      .slice(text.indexOf('\n## Configuration\n') + 1)
      .split(/^## (?!Configuration)/m);
    const rows = Array.from(
      section.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm),
      ([, field = '', standard = '']) => [field, standard.replaceAll('`', '').trim()] as const,
    );
    expect(rows.map(([field]) => field).sort()).toEqual(Object.keys(schema.shape).sort());
    const [example] = EXAMPLES[type];
    const required = Object.fromEntries(
      Object.entries(example.config).filter(([field]) =>
        rows.some(([name, standard]) => name === field && standard === 'required'),
      ),
    );
    const defaults = schema.parse(required);
    for (const [field, standard] of rows) {
      const value = defaults[field];
      if (Object.hasOwn(required, field) || typeof value === 'object' || value === undefined) continue;
      expect([field, standard]).toEqual([field, String(value as string | number | boolean)]);
    }
  });
});
