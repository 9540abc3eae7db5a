import { checkBotchatMessage, pageHtml, type BotchatMessage, type TeamchatMessage } from '@hnotif/receivers';
import type { SinkType } from '../../resources/kinds.ts';
import { photograph } from './photograph.ts';

export { NoPicture } from './photograph.ts';

type Body = Readonly<Record<string, unknown>>;

/** CSS pixels. */
const WIDTHS = { teamchat: 720, botchat: 560 } as const;

/** A PNG of messages as readers of the chat see them. `bodies`: of the requests, in order. `now`: milliseconds since the epoch. */
export function pictureOf(
  type: Exclude<SinkType, 'webhook'>,
  bodies: readonly Body[],
  title: string,
  now: number,
): Promise<Uint8Array> {
  const view = { now, timezone: 'UTC', title };
  const html =
    type === 'teamchat'
      ? pageHtml({ ...view, chat: 'teamchat', messages: channelOf(bodies, now) })
      : pageHtml({ ...view, chat: 'botchat', messages: bodies.flatMap((body) => bubbleOf(body, now)) });
  return photograph(html, WIDTHS[type]);
}

/** Replies are below the last message in the channel. */
function channelOf(bodies: readonly Body[], now: number): readonly TeamchatMessage[] {
  const roots: { readonly message: TeamchatMessage; readonly replies: TeamchatMessage[] }[] = [];
  for (const body of bodies) {
    const message = messageOf(body, now);
    if (message.threadTs !== undefined && roots.length > 0) roots.at(-1)?.replies.push(message);
    else roots.push({ message, replies: [] });
  }
  return roots.map(({ message, replies }) => ({ ...message, replies }));
}

const list = (value: unknown): never[] => (Array.isArray(value) ? (value as never[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const messageOf = (body: Body, now: number): TeamchatMessage => ({
  text: text(body.text),
  blocks: list(body.blocks),
  attachments: list(body.attachments),
  mrkdwn: true,
  ts: String(now / 1_000),
  ...{ channel: '', author: '', metadata: undefined, entities: [], edits: [], replies: [] },
  ...{ editedTs: undefined, deleted: false },
  threadTs: typeof body.thread_ts === 'string' ? body.thread_ts : undefined,
});

function bubbleOf(body: Body, now: number): readonly BotchatMessage[] {
  const source = { text: text(body.text), parse_mode: text(body.parse_mode) };
  const checked = checkBotchatMessage(source);
  if (!checked.ok) return [];
  const { text: shown, entities } = checked;
  const chat = { id: -1, type: 'group', title: 'hnotif' } as const;
  const date = Math.floor(now / 1_000);
  return [{ message_id: 1, chat, date, previewDisabled: true, source, text: shown, entities }];
}
