import type { Clock } from '../../clock.ts';
import { compile } from '../../render/compile.ts';
import { templateContext } from '../../render/context.ts';
import { faultOfError, lintFault } from '../../render/fault.ts';
import type { TemplateRunner } from '../../render/template.ts';
import type { SinkAddress } from '../../resources/sink-address.ts';
import type { SinkSettings } from '../../sinks/deps.ts';
import { Threads } from '../../sinks/teamchat/thread/threads.ts';
import { Transport, type PostRequest, type TransportOptions } from '../../transport/client.ts';
import type { Reply } from '../../transport/reply.ts';
import { VERSION } from '../../version.ts';

/** Takes requests as the transport does, sends none, and answers as a receiver that accepts everything. */
class RecordingTransport extends Transport {
  readonly requests: PostRequest[] = [];

  override post(request: PostRequest): Promise<Reply> {
    this.requests.push(request);
    const answer = { kind: 'answer', status: 200, headers: {}, truncated: false, hidden: false } as const;
    return Promise.resolve({ ...answer, body: acceptanceOf(request.url) });
  }
}

/** Slack's Web API, Telegram's Bot API, or a webhook, whose acceptance is the body `ok` for Slack and anything for others. */
function acceptanceOf({ pathname }: URL): string {
  if (/\/(chat|conversations)\.\w+$/.test(pathname))
    return JSON.stringify({ ok: true, channel: 'C0', ts: '1767643200.000100', message: {}, messages: [] });
  return pathname.endsWith('/sendMessage') ? JSON.stringify({ ok: true, result: {} }) : 'ok';
}

/** Runs templates in this process: whoever runs the command wrote them. */
const templates: TemplateRunner = {
  render(template, source) {
    try {
      return Promise.resolve({ ok: true, text: compile(template).execute(templateContext(source)) });
    } catch (error) {
      return Promise.resolve(faultOfError(template, error));
    }
  },
  check: (template) => Promise.resolve(lintFault(template)),
};

const freely = { take: () => true, pause: () => undefined, giveBack: () => undefined } as const;

export interface RecordingOptions extends TransportOptions {
  readonly clock: Clock;
  readonly chatApiUrl: string;
  readonly botApiUrl: string;
}

/** What a sink needs to make its requests, without anything that sends them. */
export function recordingSettings(
  { clock, chatApiUrl, botApiUrl, ...rules }: RecordingOptions,
  address: SinkAddress,
): SinkSettings & { readonly transport: RecordingTransport } {
  const transport = new RecordingTransport(rules);
  const threads = new Threads({ clock, rateLimits: freely, lateMs: 0 });
  return {
    ...{ transport, clock, version: VERSION, chatApiUrl, botApiUrl, templates, rateLimits: freely },
    ...{ threads, address },
  };
}
