import type { Clock } from '../clock.ts';
import { compile } from '../render/compile.ts';
import { templateContext } from '../render/context.ts';
import { faultOfError, lintFault } from '../render/fault.ts';
import type { TemplateRunner } from '../render/template.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import { botMethodIn } from '../sinks/botchat/bot-api.ts';
import type { SinkSettings } from '../sinks/deps.ts';
import { Threads } from '../sinks/teamchat/thread/threads.ts';
import type { Poster, PostRequest } from '../requests/poster.ts';
import { VERSION } from '../version.ts';

/** Takes requests as the transport does, sends none, and answers as a receiver that accepts everything. */
interface RecordingTransport extends Poster {
  readonly requests: PostRequest[];
}

function recordingTransport({ problem, readTls }: Pick<Poster, 'problem' | 'readTls'>): RecordingTransport {
  const requests: PostRequest[] = [];
  return {
    ...{ requests, problem, readTls },
    post(request) {
      requests.push(request);
      const answer = { kind: 'answer', status: 200, headers: {}, truncated: false, hidden: false } as const;
      return Promise.resolve({ ...answer, body: acceptanceOf(request.url) });
    },
  };
}

/** Slack's Web API, Telegram's Bot API, or a webhook, whose acceptance is the body `ok` for Slack and anything for others. */
function acceptanceOf({ pathname }: URL): string {
  if (/\/(chat|conversations)\.\w+$/.test(pathname))
    return JSON.stringify({
      ok: true,
      channel: 'C0',
      ts: '1767643200.000100',
      message: { thread_ts: '1767643200.000100' },
      messages: [],
    });
  return botMethodIn(pathname) === undefined ? 'ok' : JSON.stringify({ ok: true, result: { message_id: 1 } });
}

/** Told what a template gives. */
export interface TemplateObserver {
  readonly threw: (error: unknown) => void;
}

/** Runs templates in this process: the user of the command wrote them. */
export const templatesHere = (observer?: TemplateObserver): TemplateRunner => ({
  render(template, source) {
    try {
      const text = compile(template).execute(templateContext(source));
      return Promise.resolve({ ok: true, text });
    } catch (error) {
      observer?.threw(error);
      return Promise.resolve(faultOfError(template, error));
    }
  },
  check: (template) => Promise.resolve(lintFault(template)),
});

const freely = { take: () => true, pause: () => undefined, giveBack: () => undefined } as const;

export interface RecordingOptions {
  readonly clock: Clock;
  readonly chatApiUrl: string;
  readonly botApiUrl: string;
  /** Why nothing may be sent to a URL, as the transport has it. */
  readonly problem: Poster['problem'];
  /** Reads client certificates, as the transport does. */
  readonly readTls: Poster['readTls'];
  /** Default: templates run in this process. */
  readonly templates?: TemplateRunner;
}

/** What a sink needs to make its requests, without anything that sends them. */
export interface RecordingSettings extends SinkSettings {
  readonly transport: RecordingTransport;
  /**
   * The time for threads and boards. Set `now` to that of the event (milliseconds since the epoch): the night of an example is long over.
   * Add to `waited` what a delivery waits (milliseconds).
   */
  readonly time: { now: number; waited: number };
}

/** Its methods without their object. */
const boundTo = (clock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  random: () => clock.random(),
  after: (ms, run) => clock.after(ms, run),
});

export function recordingSettings(
  { clock, chatApiUrl, botApiUrl, problem, readTls, templates = templatesHere() }: RecordingOptions,
  address: SinkAddress,
): RecordingSettings {
  const transport = recordingTransport({ problem, readTls });
  const time = { now: clock.now(), waited: 0 };
  const threads = new Threads({
    clock: { ...boundTo(clock), now: () => time.now, monotonic: () => clock.monotonic() + time.waited },
    ...{ rateLimits: freely, lateMs: 0 },
  });
  return {
    ...{ transport, clock, version: VERSION, chatApiUrl, botApiUrl, templates, rateLimits: freely },
    ...{ threads, address, time },
  };
}
