/** The simulators without HTTP. */
import { Chats } from '../botchat/chats.ts';
import { Flood } from '../botchat/flood.ts';
import { makeBotchatHandler } from '../botchat/handler.ts';
import type { Request } from '../decision.ts';
import { makeTeamchatHandler } from '../teamchat/handler.ts';
import { Limiter } from '../teamchat/limiter.ts';
import { Tokens } from '../teamchat/tokens.ts';
import { Workspace } from '../teamchat/workspace.ts';

const NOW = 1_767_643_200_000;

export function botchat() {
  const chats = new Chats(undefined);
  return { chats, handle: makeBotchatHandler({ chats, flood: new Flood({}), tokens: undefined }) };
}

/** The app is an internal one. Every webhook posts to the first channel. */
export function teamchat({ channels = ['C1'], token = 't', now = (): number => NOW } = {}) {
  const context = {
    workspace: new Workspace(
      channels.map((id) => ({ id })),
      now,
    ),
    tokens: new Tokens({ [token]: {} }),
    limiter: new Limiter({}, now),
    manners: {
      ...{ pageSize: 999, updateKeepsBlocks: false, editWindow: Infinity },
      lostThreads: 'unthread' as 'unthread' | 'refuse',
    },
    now,
  };
  const handle = makeTeamchatHandler(context, (path) =>
    path.startsWith('/api/') ? undefined : { channel: channels[0] },
  );
  return { ...context, handle };
}

/** A POST, by default of JSON. */
export const posted = (path: string, body: string, headers: Request['headers'] = {}, now = NOW): Request => ({
  ...{ method: 'POST', path, arrivedAt: now },
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: { bytes: Buffer.from(body), complete: true },
});
