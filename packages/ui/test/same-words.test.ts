import { expect, it } from 'vitest';
import { asked, command } from '../../hnotif/e2e/support/command.ts';
import { configMapObject, notificationObject, secretObject } from '../../lab/src/objects.ts';
import { NAMESPACE, World } from '../../hnotif/e2e/support/world.ts';
import { findingsOfVerdict } from '@hnotif/core/rehearsal';
import { SINKS as DEFINITIONS } from '@hnotif/core/sinks';
import { answer } from '../src/editor/job.ts';
import { sinkChoice, type SinkId } from '../src/editor/sinks.ts';

/** Templates that a receiver refuses, each for another reason. `error`: the receiver's own word, or a part of its sentence. */
const REFUSED: readonly { readonly sink: SinkId; readonly template: string; readonly error: string }[] = [
  { sink: 'slack-json', template: '{"blocks":[{"type":"section"}]}', error: 'invalid_blocks' },
  {
    sink: 'slack-json',
    template: `{"blocks":[${[1, 2].map(() => '{"type":"table","rows":[[{"type":"raw_text","text":"{{ .Event }}"}]]}').join()}]}`,
    error: 'invalid_attachments',
  },
  {
    sink: 'slack-json',
    template: '{"blocks":[{"type":"header","text":{"type":"mrkdwn","text":"{{ .Event }}"}}]}',
    error: 'invalid_blocks',
  },
  { sink: 'telegram-html', template: '<b>{{ .Event }}', error: "can't parse entities" },
  { sink: 'telegram-html', template: '{{ .Event }}<br/>', error: 'Unsupported start tag' },
  { sink: 'telegram-html', template: '<b> </b>', error: 'text must be non-empty' },
  { sink: 'telegram-html', template: ' \n', error: 'empty' },
  { sink: 'telegram-markdown', template: '{{ .Event }} is over.', error: 'is reserved and must be escaped' },
];

const START = 'Start';

/** What the judge says of the output of a Start. */
function wordsOf(sink: SinkId, template: string): string {
  const { type, config } = sinkChoice(sink);
  const settings: { readonly format?: 'text' | 'json'; readonly parse_mode?: 'HTML' | 'MarkdownV2' } = config;
  const rules = { format: settings.format, parseMode: settings.parse_mode ?? 'HTML' };
  const { problem, verdict } = DEFINITIONS[type].judgeOutput(
    template.replaceAll('{{ .Event }}', START),
    rules,
  );
  const [first] = findingsOfVerdict(type, verdict);
  return problem ?? first?.message ?? 'accepted';
}

/** What the simulator answers to the same message. */
async function answerOf(world: World, sink: SinkId, template: string): Promise<string> {
  const output = template.replaceAll('{{ .Event }}', START);
  const config: { readonly parse_mode?: string } = sinkChoice(sink).config;
  const { parse_mode } = config;
  const [url, body] =
    parse_mode === undefined
      ? [(await world.teamchat()).webhookUrl(), output]
      : [
          `${(await world.botchat()).origin}/bot123456:canary/sendMessage`,
          JSON.stringify({ chat_id: -1001, text: output, parse_mode }),
        ];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.text();
}

/** What each surface that makes the message says of it. */
async function surfacesOf(
  world: World,
  sink: SinkId,
  template: string,
  kind: 'Start' | 'Failure',
): Promise<ReadonlyMap<string, string>> {
  const { type, config } = sinkChoice(sink);
  const said = new Map<string, string>();
  const here = await world.file('template.gotpl', template);
  const parseMode = sink === 'telegram-markdown' ? ['--parse-mode=MarkdownV2'] : [];
  const { err } = await command(['template', here, `--sink-type=${type}`, `--event=${kind}`, ...parseMode]);
  said.set('template', err.join('\n'));

  const spec = { onEvents: [kind], sinks: [{ name: 's', type, templateRef: { name: 'words' } }] };
  const objects = [
    notificationObject('n', spec),
    secretObject('s', JSON.stringify(config)),
    configMapObject('words', { 'template.gotpl': template }),
  ];
  const file = await world.file(
    'objects.json',
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  );
  for (const args of [['validate'], ['render'], ['send', '--dry-run']]) {
    const { out, err: errors } = await command([
      ...args,
      ...(args[0] === 'validate' ? [file] : ['-f', file]),
    ]);
    said.set(args.join(' '), [...out, ...errors].join('\n'));
  }

  const event = { from: 'example', kind, operation: 'shutdown', targets: 3, hostile: false } as const;
  const editor = await answer({ template, sink, event, timezone: 'UTC', timedOut: false });
  said.set('editor', editor.faults.join('\n'));

  await world.configure('s', config);
  await world.templates('words', { 'template.gotpl': template });
  await world.notification('n', spec);
  const { out } = await asked(world, 'doctor', 'n', `--namespace=${NAMESPACE}`);
  said.set('doctor', out.join('\n'));

  await world.synced();
  const status = await world.status('n', ({ conditions }) =>
    JSON.stringify(conditions ?? []).includes('tried with an example'),
  );
  said.set('controller', status.conditions?.map(({ message }) => message).join('\n') ?? '');
  return said;
}

it.each(REFUSED)(
  'each surface refuses $template of $sink in the same words',
  async ({ sink, template, error }) => {
    const words = wordsOf(sink, template);
    expect(words).toContain(error);
    const world = await World.start();
    // The simulator says it in the receiver's own words.
    expect(await answerOf(world, sink, template)).toContain(error);
    const said = await surfacesOf(world, sink, template, START);
    for (const [surface, text] of said)
      expect([surface, text]).toEqual([surface, expect.stringContaining(words)]);
    expect(said.size).toBe(7);
  },
);

/** Values of an event that a template does not escape. */
const UNESCAPED: readonly { readonly sink: SinkId; readonly template: string; readonly words: string }[] = [
  {
    sink: 'slack-json',
    template: '{"blocks":[{"type":"header","text":{"type":"plain_text","text":"{{ .ErrorMessage }}"}}]}',
    words:
      `the output is not JSON: see line 1, column 101 (between es: volume <vol-07> is " and busy" & can't be detache); ` +
      'the text comes from .ErrorMessage: write {{ .ErrorMessage | toJson }} without quotes around it; the preset layout would be sent',
  },
  {
    sink: 'slack-json',
    template: '{"text":"{{ .Event }} {{ .ErrorMessage }}"}',
    words:
      'the text comes from .ErrorMessage: make the whole text with printf, and write it without quotes around it, such as {{ printf "%s %s" $.Event .ErrorMessage | toJson }}; the preset layout would be sent',
  },
  {
    sink: 'telegram-html',
    template: '<b>{{ .Event }}</b> {{ .ErrorMessage | escapeMarkdown }}',
    words:
      'the text comes from .ErrorMessage: write {{ .ErrorMessage | escapeHTML }} instead of escapeMarkdown',
  },
  {
    sink: 'telegram-html',
    template: '<b>{{ .Event }}</b> {{ .ErrorMessage }}',
    words:
      'Telegram would refuse it: /text, line 1, column 39: Unsupported start tag "vol-07" (can\'t parse entities); ' +
      'the text comes from .ErrorMessage: write {{ .ErrorMessage | escapeHTML }}',
  },
  {
    sink: 'telegram-markdown',
    template: '*{{ .Event }}*\n{{ range .Targets }}{{ .Message }}\n{{ end }}',
    words: 'the text comes from .Message: write {{ .Message | escapeMarkdown }}',
  },
];

it.each(UNESCAPED)(
  'each surface names the value that $template of $sink does not escape',
  async ({ sink, template, words }) => {
    const said = await surfacesOf(await World.start(), sink, template, 'Failure');
    for (const [surface, text] of said)
      expect([surface, text]).toEqual([surface, expect.stringContaining(words)]);
    expect(said.size).toBe(7);
  },
);
