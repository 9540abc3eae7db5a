/** The simulators of the receivers, without HTTP. */
import { Chats } from '../../../../receivers/src/botchat/chats.ts';
import { Flood } from '../../../../receivers/src/botchat/flood.ts';
import { makeBotchatHandler } from '../../../../receivers/src/botchat/handler.ts';
import type { Request } from '../../../../receivers/src/decision.ts';
import { makeTeamchatHandler } from '../../../../receivers/src/teamchat/handler.ts';
import { Limiter } from '../../../../receivers/src/teamchat/limiter.ts';
import { Tokens } from '../../../../receivers/src/teamchat/tokens.ts';
import { Workspace } from '../../../../receivers/src/teamchat/workspace.ts';

const NOW = 1_767_643_200_000;
const now = (): number => NOW;

export const botchat = () =>
  makeBotchatHandler({ chats: new Chats(undefined), flood: new Flood({}), tokens: undefined });

/** With a channel `C1` for the token `t` and for every webhook. */
export const teamchat = () =>
  makeTeamchatHandler(
    {
      workspace: new Workspace([{ id: 'C1' }], now),
      tokens: new Tokens({ t: {} }),
      limiter: new Limiter({}, now),
      manners: { pageSize: 15, lostThreads: 'unthread', updateKeepsBlocks: false, editWindow: Infinity },
      now,
    },
    (path) => (path.startsWith('/api/') ? undefined : { channel: 'C1' }),
  );

/** A POST of JSON. */
export const posted = (path: string, body: string, headers: Request['headers'] = {}): Request => ({
  ...{ method: 'POST', path, arrivedAt: NOW },
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: { bytes: Buffer.from(body), complete: true },
});
