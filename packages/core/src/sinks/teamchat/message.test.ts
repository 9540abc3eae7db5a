import { expect, test } from 'vitest';
import { expectGolden } from '../../testing/golden.ts';
import { Secret } from '../../redaction/secret.ts';
import { builtinMessage, plainMessage } from './message.ts';
import { CASES, OPTIONS } from './presets/testing/sources.ts';
import { formsOf } from './thread/channel-client.ts';
import type { ChatMessage, TeamchatConfig } from './types.ts';

const CONFIG: TeamchatConfig = {
  ...OPTIONS,
  mode: { kind: 'channel', webhookUrl: new Secret('https://hooks.example.com/services/T0/B0/x') },
  format: 'text',
  coalesceProgress: false,
  rate: { perSecond: 1, burst: 1 },
};

const FORMS = {
  text: (source) => builtinMessage(source, CONFIG),
  plain: plainMessage,
} satisfies Record<string, (source: (typeof CASES)[number][1]) => ChatMessage>;

test.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
  'messages as %s equal the golden file',
  async (form) => {
    const shown = CASES.map(([name, source]) => {
      const { text, ...looks } = FORMS[form](source);
      return `=== ${name} ${JSON.stringify(looks)}\n${text}\n`;
    }).join('\n');
    await expectGolden(new URL(`./golden/${form}.txt`, import.meta.url), shown);
  },
);

test('replies in threads are the same messages', () => {
  const inThread = formsOf(CONFIG).replies;
  for (const [, source] of CASES)
    expect(inThread.map((reply) => reply(source))).toEqual([FORMS.text(source), FORMS.plain(source)]);
});
