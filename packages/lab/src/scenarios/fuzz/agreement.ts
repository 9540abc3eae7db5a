/** Random output of templates: `hnotif template`, the sink and the simulator of its receiver agree, in the same words. */
import { faultInWords } from '@hnotif/judges';
import { descriptionOf, readText } from '@hnotif/judges/telegram';
import fc from 'fast-check';
import type { Decision, Request } from '../../../../receivers/src/decision.ts';
import { botchat, posted, teamchat } from '../../../../receivers/src/testing/without-http.ts';
import { makeChecks } from '../../../../receivers/src/webhook/checks.ts';
import { deliver } from '@hnotif/core/rehearsal';
import { recordingSettings } from '@hnotif/core/rehearsal';
import { systemClock } from '@hnotif/core/clock';
import { exampleSource } from '@hnotif/core/render';
import type { SinkType } from '@hnotif/core/resources';
import { someMarkup } from '../../../../core/src/sinks/botchat/markup/testing/arbitrary.ts';
import { readSink, SINKS } from '@hnotif/core/sinks';
import type { PostRequest } from '@hnotif/core/requests';
import type { Answer } from '../../../../core/src/requests/reply.ts';
import { outputs } from './blocks.ts';

/** An output, and the sink that sends it. */
export interface Output {
  readonly text: string;
  readonly sink: keyof typeof SINK_CONFIGS;
}

const SLACK = 'https://hooks.slack.test/services/T0/B0/canary';
const SINK_CONFIGS = {
  blocks: { webhook_url: SLACK, format: 'json' },
  mrkdwn: { webhook_url: SLACK, format: 'text' },
  HTML: { token: '123456:canary', chat_id: '-1001', parse_mode: 'HTML' },
  MarkdownV2: { token: '123456:canary', chat_id: '-1001', parse_mode: 'MarkdownV2' },
  webhook: { url: 'https://webhook.test/', enable_renderer: true },
} as const;

const typeOf = (sink: Output['sink']): SinkType =>
  sink === 'webhook' ? 'webhook' : sink === 'blocks' || sink === 'mrkdwn' ? 'teamchat' : 'botchat';

const pieces = fc.constantFrom(
  ...'*bold* _i_ ~s~ `c` ```\nx <!channel> <@U1> <https://e.test|x > < & &lt;'.split(' '),
  ...'\n|\n> | |\t|\u200b|\ud83d|🌙|é|"|\\|\u0000|{|['.split('|'),
  'x'.repeat(5_000),
);
const someText = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Slack's blocks and texts, Telegram's two languages, and what a webhook renders. */
export const someOutput: fc.Arbitrary<Output> = fc.oneof(
  outputs.map((text) => ({ text, sink: 'blocks' as const })),
  someMarkup.map(({ text, mode }) => ({ text, sink: mode })),
  fc.record({ text: someText, sink: fc.constantFrom('blocks', 'mrkdwn', 'HTML', 'MarkdownV2', 'webhook') }),
  outputs.map((text) => ({ text, sink: 'webhook' as const })),
);

/** A receiver without HTTP. */
function simulatorOf(type: SinkType): (request: Request) => Decision<object> {
  if (type === 'botchat') return botchat().handle;
  if (type === 'teamchat') return teamchat().handle;
  return makeChecks({ path: undefined, schema: undefined, signingSecrets: undefined });
}

interface Sent {
  /** What the receiver said to the first message. */
  readonly answer: Answer;
  readonly request: PostRequest;
  /** What the sink reports. */
  readonly reports: string;
}

/** Sends an output as the controller does, to the simulator. */
async function sent({ text, sink }: Output): Promise<Sent> {
  const type = typeOf(sink);
  const recording = recordingSettings(
    {
      ...{
        clock: systemClock,
        chatApiUrl: 'https://slack.test/api',
        botApiUrl: 'https://telegram.test',
        problem: () => undefined,
      },
      readTls: () => ({ ok: true, tls: undefined }),
      templates: {
        render: () => Promise.resolve({ ok: true, text }),
        check: () => Promise.resolve(undefined),
      },
    },
    { namespace: 'shop', notification: 'night', sink },
  );
  const simulate = simulatorOf(type);
  const exchanges: Pick<Sent, 'answer' | 'request'>[] = [];
  const post = (request: PostRequest): Promise<Answer> => {
    const { url, body, headers } = request;
    const { answer } = simulate(posted(url.pathname, String(body), headers)).settle();
    const reply = { ...answer, kind: 'answer', truncated: false, hidden: false } as const;
    exchanges.push({ answer: reply, request });
    return Promise.resolve(reply);
  };
  const reading = readSink(type, JSON.stringify(SINK_CONFIGS[sink]), {
    ...recording,
    transport: { ...recording.transport, post },
  });
  if (!reading.ok) throw new Error(reading.problems.join());
  const template = { name: 'words/template.gotpl', text: '' };
  const { findings, failure = '' } = await deliver(
    reading.sink,
    { name: sink },
    exampleSource('Failure', type, 'shutdown'),
    template,
    recording,
  );
  const [first] = exchanges;
  if (first === undefined) throw new Error('nothing was sent');
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return { ...first, reports: [...errors, failure].join('\n').trim() };
}

/** Where the surfaces disagree about an output. */
export async function agreementFaults(output: Output): Promise<string[]> {
  const { text, sink } = output;
  const type = typeOf(sink);
  const format = sink === 'blocks' ? 'json' : 'text';
  const parseMode = sink === 'MarkdownV2' ? sink : 'HTML';
  const { problem, verdict } = SINKS[type].judgeOutput(text, { format, parseMode });
  const { answer, request, reports } = await sent(output);
  const isTaken = answer.status === 200;
  const isCustom = isTaken && reports === '';
  const faults: string[] = [];
  if (isCustom !== (problem === undefined && verdict.kind === 'accepted'))
    faults.push(
      `template: ${problem ?? JSON.stringify(verdict)}; sink: ${reports}; receiver: ${answer.body}`,
    );
  const body = JSON.parse(String(request.body)) as { readonly rendered?: string; readonly text?: string };
  const isSame = (type === 'webhook' ? body.rendered : body.text) === text;
  const fits = type === 'webhook' || (type === 'botchat' && readText({ text, parse_mode: parseMode }).ok);
  if (fits && !isSame) faults.push('the receiver gets another text');
  if (verdict.kind === 'refused') {
    const [fault] = verdict.faults;
    const words = type === 'botchat' ? descriptionOf(fault) : faultInWords(fault);
    if (
      isTaken
        ? !/^(?:template|the output of)/.test(reports)
        : !`${answer.body}`.includes(JSON.stringify(words).slice(1, -1))
    )
      faults.push(`template: ${words}; receiver: ${answer.body}`);
    if (type === 'teamchat' && !reports.includes(words)) faults.push(`template: ${words}; sink: ${reports}`);
  }
  return faults;
}
