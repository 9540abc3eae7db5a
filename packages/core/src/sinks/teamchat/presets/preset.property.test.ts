import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Source } from '../../../render/context.ts';
import { EVENT_KINDS } from '../../../resources/kinds.ts';
import { parseBlocks } from '../blocks.ts';
import { LAYOUTS, type PresetOptions, SCOPES, TIME_DISPLAYS } from '../types.ts';
import { presetMessage } from './preset.ts';

const EVIL = [
  '<!channel>',
  '<@U1>',
  '<https://e.test|x>',
  '&',
  '<',
  '>',
  ':smile:',
  '*b*',
  '`',
  '```',
  '\n',
  '"',
  '\\',
];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom(...EVIL, 'word', ' ', '\ud83d', '👩‍👩‍👧'), { maxLength: 12 })
    .map((parts) => parts.join('')),
  fc.constantFrom('', ' ', 'storefront', '&'.repeat(4_000), 'x'.repeat(30_000), '<!here>\n'.repeat(500)),
);
const state = fc.oneof(fc.constantFrom('Pending', 'Running', 'Completed', 'Failed', 'Aborted'), text);
const target = fc.record({ name: text, executor: text, state, message: text });
const connector = fc.record({
  kind: text,
  name: text,
  provider: text,
  accountId: text,
  projectId: text,
  region: text,
  clusterName: text,
});

const source: fc.Arbitrary<Source> = fc
  .record({
    kind: fc.constantFrom(...EVENT_KINDS),
    namespace: text,
    plan: text,
    cycle: text,
    operation: fc.oneof(fc.constantFrom('shutdown', 'wakeup'), text),
    phase: text,
    previousPhase: text,
    timestamp: fc.oneof(fc.constant('2026-01-05T20:00:00.000Z'), text),
    targets: fc.array(target, { maxLength: 130, size: 'max' }),
    targetExecution: fc.option(target, { nil: undefined }),
    errorMessage: text,
    retryCount: fc.nat(),
    labels: fc.dictionary(fc.constantFrom('env', 'environment', 'x'), text),
    connector,
  })
  .map(({ labels, connector: place, ...event }) => ({
    event: { id: 'e', seq: 1, planUid: 'u', run: 1, ...event },
    plan: { labels, annotations: {}, connector: () => place },
    sinkName: 's',
    sinkType: 'teamchat',
  }));

const options: fc.Arbitrary<PresetOptions> = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  maxTargets: fc.integer({ min: 1, max: 100 }),
  scopes: fc.subarray([...SCOPES]),
  timeDisplay: fc.constantFrom(...TIME_DISPLAYS),
  timezone: fc.constantFrom('UTC', 'Asia/Jakarta'),
  timeLayout: fc.constantFrom('2006-01-02 15:04 MST', '<!channel> January', '2006'.repeat(50)),
});

/** Each text object of the blocks. */
function textsIn(value: unknown): { type: string; text: string; verbatim?: boolean }[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const own =
    'text' in value && typeof value.text === 'string' ? [value as ReturnType<typeof textsIn>[number]] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}

/** The date token that is ours. */
const DATE = /<!date\^-?\d+\^\{date_short_pretty\} \{time_secs\}\|[^<>|]+>/g;
const OURS = new Set(
  'crescent_moon sunny white_check_mark warning x arrows_counterclockwise information_source white_circle hourglass_flowing_sand no_entry_sign grey_question'.split(
    ' ',
  ),
);

/** Shortcodes outside code. */
const emojiIn = (shown: string): string[] =>
  [...shown.replaceAll(/```[^]*?```|`[^`\n]*`/g, ' ').matchAll(/:([a-z_]+):/g)].map(
    (match) => match[1] ?? '',
  );

test('for any history of any plan: Slack accepts the message; it has no mention, no link, and only our emoji', () => {
  fc.assert(
    fc.property(source, options, (from, how) => {
      const message = presetMessage(from, how);
      expect(parseBlocks(JSON.stringify(message), '')).toEqual({ ok: true, message });
      const texts = textsIn(message.blocks);
      let total = 0;
      for (const { type, text: shown, verbatim } of [
        ...texts,
        { type: 'mrkdwn', text: message.text, verbatim: true },
      ]) {
        total += shown.length;
        expect(shown.trim()).not.toBe('');
        expect(shown.isWellFormed()).toBe(true);
        if (type === 'mrkdwn') expect(verbatim).toBe(true);
        const rest = shown.replaceAll(DATE, '');
        expect(rest).not.toMatch(/[<>]/);
        expect(rest.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
        for (const emoji of emojiIn(rest)) expect(OURS).toContain(emoji);
      }
      expect(total).toBeLessThanOrEqual(12_000);
    }),
    { seed: 20260105, numRuns: 150 },
  );
});
