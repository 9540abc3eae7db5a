import { readText } from '@hnotif/judges/telegram';
import type { BotchatMessage } from '../botchat/message.ts';
import { isFields } from '@hnotif/judges/msteams';
import type { MsteamsMessage } from '../msteams/message.ts';
import type { TeamchatMessage } from '../teamchat/message.ts';

/** The JSON of a request's body. */
export type Body = Readonly<Record<string, unknown>>;

const list = (value: unknown): never[] => (Array.isArray(value) ? (value as never[]) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a channel of Slack shows after these requests. Replies are below the last message in the channel. `now`: milliseconds since the epoch. */
export function teamchatMessages(bodies: readonly Body[], now: number): readonly TeamchatMessage[] {
  const roots: { readonly message: TeamchatMessage; readonly replies: TeamchatMessage[] }[] = [];
  for (const body of bodies) {
    const message = teamchatMessageOf(body, now);
    if (message.threadTs !== undefined && roots.length > 0) roots.at(-1)?.replies.push(message);
    else roots.push({ message, replies: [] });
  }
  return roots.map(({ message, replies }) => ({ ...message, replies }));
}

const teamchatMessageOf = (body: Body, now: number): TeamchatMessage => ({
  text: text(body.text),
  blocks: list(body.blocks),
  attachments: list(body.attachments),
  mrkdwn: body.mrkdwn !== false,
  ts: String(now / 1_000),
  ...{ channel: '', author: '', metadata: undefined, entities: [], edits: [], replies: [] },
  ...{ editedTs: undefined, deleted: false },
  broadcast: body.reply_broadcast === true,
  threadTs: typeof body.thread_ts === 'string' ? body.thread_ts : undefined,
});

/** What a group of Telegram shows after these requests. What Telegram refuses is not shown. */
export const botchatMessages = (bodies: readonly Body[], now: number): readonly BotchatMessage[] =>
  bodies.flatMap((body) => {
    const source = sourceOf(body);
    const checked = readText(source);
    if (!checked.ok) return [];
    const { text: shown, entities } = checked;
    const chat = { id: -1, type: 'group', title: 'hnotif' } as const;
    const date = Math.floor(now / 1_000);
    return [{ message_id: 1, chat, date, previewDisabled: true, source, text: shown, entities }];
  });

const sourceOf = (body: Body) => ({ text: text(body.text), parse_mode: text(body.parse_mode) });

/** What a channel of Teams shows after these requests. */
export const msteamsMessages = (bodies: readonly Body[], now: number): readonly MsteamsMessage[] =>
  bodies.map(({ attachments }) => ({
    at: now,
    cards: list(attachments)
      .filter(isFields)
      .map(({ content }) => content)
      .filter(isFields),
  }));
