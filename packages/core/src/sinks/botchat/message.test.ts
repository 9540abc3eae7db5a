import { LIMITS, readText } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Source } from '../../render/context.ts';
import { exampleSource } from '../../render/example.ts';
import { EVENT_KINDS } from '../../resources/kinds.ts';
import { anEvent } from '../../testing/events.ts';
import { expectGolden } from '../../testing/golden.ts';
import { bareView } from '../../testing/sinks.ts';
import { PARSE_MODES, type ParseMode } from './markup/markup.ts';
import { someText } from './markup/testing/arbitrary.ts';
import { builtinMessage, customMessage, plainMessage } from './message.ts';

/** Everything that Telegram would make something of. */
const HOSTILE =
  'a <b>b</b> & "c" *d* _e_ `f` [g](https://x.example) \\ @ops #tag $USD /stop https://x.example/@y .';

const source = (more: Parameters<typeof anEvent>[2], kind: Source['event']['kind'] = 'Failure'): Source => ({
  event: anEvent(kind, 1, more),
  plan: bareView,
  sinkName: 'ops',
  sinkType: 'botchat',
});

const SOURCES: readonly (readonly [title: string, source: Source])[] = [
  ...EVENT_KINDS.map((kind) => [kind, exampleSource(kind, 'botchat', 'shutdown')] as const),
  ...(['Start', 'Failure'] as const).map(
    (kind) => [`${kind} of a wake-up`, exampleSource(kind, 'botchat', 'wakeup')] as const,
  ),
  ['ExecutionProgress without its target', source({}, 'ExecutionProgress')],
  [
    'hostile texts',
    source({
      plan: HOSTILE,
      phase: HOSTILE,
      operation: HOSTILE,
      errorMessage: `${HOSTILE}\nPlan: forged`,
      targets: [{ name: '@ops', executor: '/stop', state: HOSTILE, message: '' }],
    }),
  ],
  [
    'more targets than fit',
    source({
      targets: Array.from({ length: 30 }, (_, index) => ({
        name: `target-${index}-${'x'.repeat(200)}`,
        executor: 'rds',
        state: index === 29 ? 'Failed' : 'Completed',
        message: '',
      })),
    }),
  ],
];

const FORMS: Readonly<Record<string, (source: Source) => { text: string; mode: ParseMode | undefined }>> = {
  html: (of) => builtinMessage(of, 'HTML'),
  markdown: (of) => builtinMessage(of, 'MarkdownV2'),
  plain: plainMessage,
};

test.each(Object.keys(FORMS))('the built-in messages are sent as in golden/%s.txt', async (form) => {
  const now = SOURCES.map(([title, of]) => {
    const { text, mode } = FORMS[form]?.(of) ?? plainMessage(of);
    // Invisible characters are written as escapes.
    return `=== ${title} (parse_mode ${mode ?? 'absent'})\n${text.replaceAll('\u2060', '⟨U+2060⟩')}\n`;
  }).join('\n');
  await expectGolden(new URL(`./golden/${form}.txt`, import.meta.url), now);
});

/** What readers see. */
function seenIn({ text, mode }: { readonly text: string; readonly mode: ParseMode | undefined }) {
  const reading = readText({ text, parse_mode: mode });
  if (!reading.ok) throw new Error(reading.fault.rule);
  return reading;
}
const MENTION = expect.objectContaining({ type: 'mention' }) as object;

test('any event makes messages within the limits that mention no user', () => {
  const text = someText(40);
  const target = fc.record({ name: text, executor: text, state: text, message: text });
  const event = fc.record({
    plan: text,
    operation: text,
    phase: text,
    previousPhase: text,
    errorMessage: text,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...EVENT_KINDS),
      event,
      fc.array(target, { maxLength: 60 }),
      (kind, of, targets) => {
        const from = source({ ...of, targets, targetExecution: targets[0] }, kind);
        for (const mode of PARSE_MODES) {
          const message = builtinMessage(from, mode);
          expect(message.mode).toBe(mode);
          const seen = seenIn(message);
          expect(seen.text.length).toBeGreaterThan(20);
          expect(seen.entities).not.toContainEqual(MENTION);
        }
        const plain = plainMessage(from);
        expect(seenIn(plain).entities).not.toContainEqual(MENTION);
      },
    ),
    { seed: 7, numRuns: 60 },
  );
});

test.each(PARSE_MODES)('%s: signs in every name leave room for the failed target and the count', (mode) => {
  for (const name of ['vm #', '#1 @eu', '@a/@b /'])
    for (const first of [false, true]) {
      const targets = Array.from({ length: 300 }, (_, index) => ({
        name: `${name}${index}`,
        executor: 'ec2',
        state: index === 299 ? 'Failed' : 'Completed',
        message: '',
      }));
      const of = source({ targets, errorMessage: first ? '#1 @ops /stop '.repeat(400) : '' });
      const seen = seenIn(builtinMessage(of, mode)).text;
      expect(seen).toContain('299 (ec2): Failed');
      expect(seen).toMatch(/\n… and \d+ more$/);
      expect(seen.length).toBeLessThanOrEqual(LIMITS.units);
      expect(seen.length).toBeGreaterThan(LIMITS.units - 300);
    }
});

test.each(PARSE_MODES)('%s: an error full of signs is cut so that the message fits', (mode) => {
  const seen = seenIn(builtinMessage(source({ targets: [], errorMessage: '@a '.repeat(3000) }), mode)).text;
  expect(seen.length).toBeLessThanOrEqual(LIMITS.units);
  expect(seen).toMatch(/ more characters\)\nTimestamp: /);
});

test('a cut path does not end in a command', () => {
  const path = `${'x'.repeat(200)} /${'v'.repeat(60)}/log`;
  const { text } = plainMessage(source({ plan: path }));
  expect(text).toMatch(/\/\u2060v+… \(/);
});

const custom = (output: string, mode: ParseMode = 'HTML') =>
  customMessage(output, exampleSource('Failure', 'botchat', 'shutdown'), 'cm/key', mode);

test('the output of a template is sent unchanged, with mentions and errors', () => {
  for (const text of ['<b>x</b> @ops', '<x>', ' a\n'])
    expect(custom(text)).toEqual({ content: { text, mode: 'HTML' } });
});

test.each(['', ' \n\t', '\u200b\u2060\u3000', '\u2800'])(
  'an output without visible text (%j) results in the plain message',
  (text) => {
    const message = expect.stringContaining('template cm/key, Failure: the output is empty') as string;
    expect(custom(text)).toEqual({ instead: 'plain', degradation: { reason: 'TemplateEmpty', message } });
  },
);

test('an output that is too long is cut, and its markup is closed', () => {
  const text = `<b>${'a'.repeat(4071)}</b>… (929 more characters)`;
  expect(custom(`<b>${'a'.repeat(5000)}</b>`)).toEqual({ content: { text, mode: 'HTML' } });
});

test('an output that is too long and has broken markup is cut and sent as plain text', () => {
  const message = custom(`<b>${'a'.repeat(5000)}`);
  expect(message).toMatchObject({ content: { mode: undefined }, degradation: { reason: 'MarkupInvalid' } });
  expect('content' in message && message.content.text.length).toBeLessThanOrEqual(LIMITS.units);
});
