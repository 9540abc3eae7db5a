/** The messages of the pictures: sent by the real sinks to the simulated chats, and drawn as the page draws them. */
import {
  CHATS,
  startBotchatReceiver,
  startMsteamsReceiver,
  startTeamchatReceiver,
  type Body,
  type Chat,
} from '@hnotif/receivers';
import { CONTROLLER_DEFAULTS } from '../../src/controller/options.ts';
import { systemClock, type Clock } from '@hnotif/core/clock';
import { RateLimiter, readSink, type ReadySink, Threads } from '@hnotif/core/sinks';
import type { EventKind } from '@hnotif/core/resources';
import { TemplatePool } from '../../src/template-pool/pool.ts';
import { Transport } from '../../src/transport/client.ts';
import { BOARD_BODIES, BOARDS, BOARDS_AT } from './boards.ts';
import { happenings, type Happening, type Night } from './nights.ts';

const TOKEN = '123456:a-token-for-pictures-only-0123456789';
const CHAT = { id: -1001234567890, type: 'supergroup', title: 'Night shift' } as const;
const ZONE = 'Europe/Berlin';

export interface Picture {
  readonly sink: Chat;
  readonly config: object;
  readonly happenings: readonly Happening[];
  /** A message that is drawn as it is. Default: those of the happenings. */
  readonly body?: Body;
  /** Whether there is one of the dark theme, too, as NAME-dark. */
  readonly inDark?: boolean;
  /** Whether threads are shown folded, as a channel has them. */
  readonly folded?: boolean;
}

const NIGHTS: readonly Night[] = ['good', 'bestEffort', 'retry', 'failure'];
const only = (all: readonly Happening[], ...kinds: readonly EventKind[]): Happening[] =>
  all.filter(({ event }) => kinds.includes(event.kind));

/** How the nights begin and end, and what went wrong on the way. */
const ENDS = [
  ...only(happenings('good'), 'Start'),
  ...only(happenings('retry'), 'Recovery'),
  ...only(happenings(...NIGHTS.filter((night) => night !== 'retry')), 'Success', 'Failure'),
];

const teamchat = (config: object, shown: readonly Happening[], more: Partial<Picture> = {}): Picture => ({
  ...{ sink: 'teamchat', config, happenings: shown },
  ...more,
});

const boardPicture = (sink: Chat, body: Body): Picture => ({
  ...{ sink, config: {}, happenings: [], body, inDark: true },
});

const STEPS: readonly EventKind[] = ['Start', 'ExecutionProgress'];
const BOTCHAT = { token: TOKEN, chat_id: CHAT.id };
const THREAD = { delivery_mode: 'thread', bot_token: 'xoxb-test', channel_id: 'C0HIBERNATE' };

const FAILURE = only(happenings('failure'), 'Failure');

/** By the name of the file in docs/img. */
export const MESSAGES: Readonly<Record<string, Picture>> = {
  'teamchat-default': teamchat({ format: 'json' }, FAILURE),
  botchat: { sink: 'botchat', config: BOTCHAT, happenings: FAILURE },
  msteams: { sink: 'msteams', config: {}, happenings: FAILURE },
  'nights-text': teamchat({}, ENDS),
  'nights-default': teamchat({ format: 'json' }, ENDS),
  'nights-compact': teamchat({ format: 'json', block_layout: 'compact' }, ENDS),
  'nights-auto': teamchat(
    { format: 'json', block_layout: 'auto', additional_scopes: ['env', 'region'] },
    only(happenings('bestEffort'), 'Start', 'ExecutionProgress', 'Success'),
  ),
  'nights-thread': teamchat(
    { ...THREAD, format: 'json', block_layout: 'compact' },
    only(happenings('retry'), 'Start', 'ExecutionProgress', 'Recovery', 'Success'),
  ),
  'nights-cards': teamchat(
    { ...THREAD, format: 'json' },
    [
      ...only(happenings('good', 'bestEffort', 'failure'), ...STEPS, 'Success', 'Failure'),
      ...untilRetry(),
    ].sort((one, other) => Date.parse(one.event.timestamp) - Date.parse(other.event.timestamp)),
    { folded: true },
  ),
  ...Object.fromEntries(
    Object.entries(BOARDS).flatMap(([name, view]) => [
      [name, boardPicture('teamchat', BOARD_BODIES.teamchat(view))],
      [`${name}-botchat`, boardPicture('botchat', BOARD_BODIES.botchat(view))],
    ]),
  ),
  'nights-botchat': { sink: 'botchat', config: BOTCHAT, happenings: ENDS },
};

/** The night with a retry, up to where the target runs again. */
function untilRetry(): Happening[] {
  const all = happenings('retry');
  const at = all.findIndex(({ event }) => event.kind === 'Recovery');
  return only(all.slice(0, at + 1), ...STEPS, 'Recovery');
}

/** How much faster the evening goes by. */
const SPEED = 100;

/** The evening's own time: pictures do not change with the day on which they are made. */
const clockAt = (moment: { ms: number }): Clock => ({
  ...systemClock,
  now: () => moment.ms,
  monotonic: () => systemClock.monotonic() * SPEED,
  after: (ms, run) => systemClock.after(ms / SPEED, run),
});

/** A channel of Slack or Teams has an address, a thread and a bot have tokens. */
const configFor = (config: object, webhook_url: string | undefined): object =>
  'bot_token' in config || 'token' in config ? config : { ...config, webhook_url };

/** A page with the messages as their readers see them. */
export async function pageOf({
  sink: type,
  config,
  happenings: all,
  folded,
  body,
}: Picture): Promise<string> {
  if (body !== undefined)
    return CHATS[type].page([body], {
      ...{ now: BOARDS_AT, timezone: ZONE, locale: 'en-US' },
      title: type === 'teamchat' ? 'night-shift' : CHAT.title,
    });
  const moment = { ms: 0 };
  const now = (): number => moment.ms;
  const team = await startTeamchatReceiver({ now, channels: [{ id: 'C0HIBERNATE', name: 'night-shift' }] });
  const bot = await startBotchatReceiver({ now, chats: [CHAT] });
  const flow = await startMsteamsReceiver({ now });
  const clock = clockAt(moment);
  const transport = new Transport({ allowInsecureHttp: true });
  const permits = new RateLimiter(clock);
  const threads = new Threads({ clock, rateLimits: permits });
  const templates = new TemplatePool({ clock });
  try {
    const addresses: Readonly<Partial<Record<Chat, string>>> = {
      teamchat: team.webhookUrl(),
      msteams: flow.webhookUrl(),
    };
    const reading = readSink(type, JSON.stringify(configFor(config, addresses[type])), {
      ...CONTROLLER_DEFAULTS,
      ...{ transport, clock, rateLimits: permits, threads, templates },
      version: '0.0.0',
      chatApiUrl: team.apiUrl,
      botApiUrl: bot.origin,
      address: { namespace: 'shop', notification: 'night', sink: type },
    });
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    for (const happening of all) {
      moment.ms = Date.parse(happening.event.timestamp);
      if (!reading.sink.suppresses(happening.event)) await send(reading.sink, happening);
      // Each state of a card, as in a night that takes minutes.
      await threads.roots.idle();
    }
    const view = { now: moment.ms, timezone: ZONE, locale: 'en-US' };
    const posted = team.channel('C0HIBERNATE').messages;
    const pages: Readonly<Record<Chat, () => string>> = {
      teamchat: () =>
        CHATS.teamchat.messagesPage(
          folded === true ? posted.map((message) => ({ ...message, replies: [] })) : posted,
          { ...view, title: 'night-shift' },
        ),
      botchat: () => CHATS.botchat.messagesPage(bot.chat(CHAT.id).messages, { ...view, title: CHAT.title }),
      msteams: () => CHATS.msteams.messagesPage(flow.messages, { ...view, title: 'Night shift' }),
    };
    return pages[type]();
  } finally {
    threads.close();
    permits.close();
    await Promise.all([templates.close(), transport.close(), team.close(), bot.close(), flow.close()]);
  }
}

async function send(sink: ReadySink, { event, plan }: Happening): Promise<void> {
  const progress = { level: 0, unclearSince: undefined };
  const { signal } = new AbortController();
  for (;;) {
    const delivery = { id: event.id, event, sinkName: 'team', plan, template: undefined, progress };
    const outcome = await sink.deliver(delivery, {
      signal,
      slot: () => true,
      degraded: ({ message }) => console.warn(message),
    });
    if (outcome.kind === 'delivered') return;
    if (outcome.kind !== 'continue') throw new Error(`${event.kind}: ${JSON.stringify(outcome)}`);
  }
}
