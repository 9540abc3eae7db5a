import { isTrue, stringOf } from './arguments.ts';
import type { Context } from './context.ts';
import type { TeamchatMessage } from './message.ts';
import { messageBody } from './render.ts';
import { reading, refuse, type Refusal, type Ruling } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';
import { missingScope, type Bearer } from './tokens.ts';

/** https://docs.slack.dev/reference/methods/conversations.history: the newest first, without replies. */
export function history(fields: Fields, bearer: Bearer, context: Context): Ruling {
  const channel = channelOf(fields, bearer, context);
  if ('error' in channel) return channel;
  const page = pageOf(fields, context.manners.pageSize);
  if ('error' in page) return page;
  return reading(() => {
    const all = context.workspace.messages(channel.id).filter(page.within).reverse();
    return page.body(all.filter(({ ts }) => page.after === undefined || ts < page.after));
  });
}

/** https://docs.slack.dev/reference/methods/conversations.replies: the root, then its thread, the oldest first. */
export function replies(fields: Fields, bearer: Bearer, context: Context): Ruling {
  const channel = channelOf(fields, bearer, context);
  if ('error' in channel) return channel;
  const ts = stringOf(fields.ts);
  if (ts === undefined) return refuse('invalid_arguments', { errors: ['missing required field: ts'] });
  const page = pageOf(fields, context.manners.pageSize);
  if ('error' in page) return page;
  const root = context.workspace.root(channel.id, ts);
  if (root === undefined) return refuse('thread_not_found');
  // For the `ts` of a reply it returns only that reply.
  const thread = root.ts === ts ? root.replies : [];
  const first = root.ts === ts ? root : (root.replies.find((each) => each.ts === ts) ?? root);
  return reading(() => {
    const all = [first, ...thread.filter(page.within)];
    return page.body(all.filter((each) => page.after === undefined || each.ts > page.after));
  });
}

function channelOf(
  fields: Fields,
  bearer: Bearer,
  { workspace }: Context,
): { readonly id: string } | Refusal {
  const named = stringOf(fields.channel);
  if (named === undefined)
    return refuse('invalid_arguments', { errors: ['missing required field: channel'] });
  const scope = missingScope(bearer, named.startsWith('G') ? 'groups:history' : 'channels:history');
  if (scope !== undefined) return scope;
  const channel = workspace.channel(named);
  if (channel === undefined) return refuse('channel_not_found');
  return channel.member ? channel : refuse('not_in_channel');
}

interface Page {
  readonly within: (message: TeamchatMessage) => boolean;
  /** The last message of the page before. */
  readonly after: string | undefined;
  body(rest: readonly TeamchatMessage[]): Fields;
}

function pageOf(fields: Fields, most: number): Page | Refusal {
  const [oldest, latest] = [stringOf(fields.oldest), stringOf(fields.latest)];
  if (oldest !== undefined && !isTime(oldest)) return refuse('invalid_ts_oldest');
  if (latest !== undefined && !isTime(latest)) return refuse('invalid_ts_latest');
  const limit = Number(stringOf(fields.limit) ?? most);
  if (!Number.isInteger(limit) || limit < 1) return refuse('invalid_limit');
  const cursor = stringOf(fields.cursor);
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64').toString();
  if (after !== undefined && !/^next_ts:\d+\.\d{6}$/.test(after)) return refuse('invalid_cursor');

  const [from, to] = [Number(oldest ?? 0), Number(latest ?? Infinity)];
  const inclusive = isTrue(fields.inclusive);
  const size = Math.min(limit, most);
  return {
    after: after?.slice('next_ts:'.length),
    within: ({ ts }) => {
      const at = Number(ts);
      return inclusive ? at >= from && at <= to : at > from && at < to;
    },
    body: (rest) => {
      const shown = rest.slice(0, size);
      const last = shown.at(-1);
      const more = rest.length > shown.length && last !== undefined;
      return {
        ok: true,
        messages: shown.map((each) => messageBody(each, isTrue(fields.include_all_metadata))),
        has_more: more,
        ...(more && {
          response_metadata: { next_cursor: Buffer.from(`next_ts:${last.ts}`).toString('base64') },
        }),
      };
    },
  };
}

function isTime(text: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text);
}
