import { isTrue, stringOf } from './arguments.ts';
import { checkTeamchatMessage, type MessageCheck } from './check.ts';
import type { Context } from './context.ts';
import { readMetadata } from './metadata.ts';
import { messageBody } from './render.ts';
import { refuse, type Refusal, type Ruling } from './ruling.ts';
import type { Fields } from '@hnotif/judges/slack';
import { missingScope, type Bearer } from './tokens.ts';

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export function postMessage(fields: Fields, bearer: Bearer, context: Context): Ruling {
  const { workspace, limiter, manners } = context;
  const scope = missingScope(bearer, 'chat:write');
  if (scope !== undefined) return scope;
  const named = stringOf(fields.channel);
  if (named === undefined)
    return refuse('invalid_arguments', { errors: ['missing required field: channel'] });
  const channel = workspace.channel(named, true);
  if (channel === undefined) return refuse('channel_not_found');
  if (channel.archived) return refuse('is_archived');
  if (!channel.member && !bearer.scopes.includes('chat:write.public')) return refuse('not_in_channel');
  const retryAfter = limiter.message(`${channel.id} ${bearer.token}`);
  if (retryAfter > 0) return refuse('ratelimited', { retryAfter });

  const { thread_ts: threadTs } = fields;
  if (threadTs != null && !isTs(threadTs))
    return refuse('invalid_thread_ts', { errors: [`${JSON.stringify(threadTs)} is not a valid thread_ts`] });
  const root = threadTs == null ? undefined : workspace.root(channel.id, threadTs);
  if (threadTs != null && root === undefined && manners.lostThreads === 'refuse')
    return refuse('thread_not_found');
  const metadata = readMetadata(fields.metadata);
  if (metadata !== undefined && 'error' in metadata) return refuse(metadata.error);
  const check = checkTeamchatMessage(fields);
  if (check.error !== undefined) return contentRefusal(check);

  const { content, entities, warnings } = check;
  return {
    error: undefined,
    takes: true,
    warnings,
    entities,
    act: () => {
      const message = workspace.post(channel.id, root?.ts, {
        author: bearer.bot,
        content,
        entities,
        metadata,
        broadcast: isTrue(fields.reply_broadcast),
      });
      return {
        message,
        body: { ok: true, channel: channel.id, ts: message.ts, message: messageBody(message, true) },
      };
    },
  };
}

/** The refusal of a content, with details if Slack gives some. */
export function contentRefusal({ error = 'no_text', errors, entities }: MessageCheck): Refusal {
  return refuse(error, { errors: errors.filter((each) => each !== error), entities });
}

/** Seconds and microseconds, as a text. */
function isTs(value: unknown): value is string {
  return typeof value === 'string' && /^\d{10}\.\d{6}$/.test(value);
}
