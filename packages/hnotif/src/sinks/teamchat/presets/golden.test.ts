import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Source } from '../../../render/context.ts';
import { EVENT_KINDS } from '../../../resources/kinds.ts';
import { parseBlocks } from '../blocks.ts';
import { LAYOUTS, SCOPES } from '../types.ts';
import { presetMessage } from './preset.ts';
import { aSource, aTarget, HOSTILE, OPTIONS, TWELVE } from './testing/sources.ts';

const CASES: readonly (readonly [name: string, source: Source])[] = [
  ...EVENT_KINDS.map((kind) => [`${kind}, shutdown`, aSource(kind)] as const),
  ...EVENT_KINDS.map((kind) => [`${kind}, wakeup`, aSource(kind, { operation: 'wakeup' })] as const),
  ['Success, another operation', aSource('Success', { operation: 'resize' })],
  [
    'Success, a target failed',
    aSource('Success', { targets: [aTarget('a', 'Completed'), aTarget('b', 'Failed', 'no')] }),
  ],
  ['Failure, 12 targets', aSource('Failure', { targets: TWELVE })],
  [
    'PhaseChange, nothing known',
    aSource('PhaseChange', { cycle: '', operation: '', previousPhase: '', targets: [] }),
  ],
  [
    'ExecutionProgress, failed',
    aSource('ExecutionProgress', { targets: TWELVE, targetExecution: TWELVE[9] }),
  ],
  ['Failure, hostile texts', HOSTILE],
];

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
