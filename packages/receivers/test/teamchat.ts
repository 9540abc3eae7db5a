import { afterEach } from 'vitest';
import { startTeamchatReceiver, type TeamchatOptions, type TeamchatReceiver } from '../src/index.ts';
import { send, type RawAnswer } from './raw-client.ts';

export const CHANNEL = 'C0HIBERNATE';
export const TOKEN = 'xoxb-test';

/** A JSON object for tests. */
export type Json = Readonly<Record<string, unknown>>;

/** A function that starts chats for a test file. Each is closed after its test. */
export function chatsOfTest(): (options?: TeamchatOptions) => Promise<TeamchatReceiver> {
  const running: TeamchatReceiver[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((receiver) => receiver.close()));
  });
  return async (options) => {
    const receiver = await startTeamchatReceiver(options);
    running.push(receiver);
    return receiver;
  };
}

/** Calls a method of the Web API with a JSON body, as a bot that is a member of the channel. Returns the answer's body. */
export async function call(
  receiver: TeamchatReceiver,
  method: string,
  args: Json,
  headers: Record<string, string> = {},
): Promise<Json & { readonly status: number | undefined }> {
  const answer = await send(`${receiver.apiUrl}/${method}`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body: JSON.stringify(args),
  });
  return { ...(JSON.parse(answer.body) as Json), status: answer.status };
}

/** Posts into the channel. Returns the answer's body. */
export function post(receiver: TeamchatReceiver, args: Json): ReturnType<typeof call> {
  return call(receiver, 'chat.postMessage', { channel: CHANNEL, ...args });
}

/** Posts, and returns the message's `ts`. */
export async function postTs(receiver: TeamchatReceiver, args: Json): Promise<string> {
  const { ts, error } = await post(receiver, args);
  if (typeof ts !== 'string') throw new Error(`not posted: ${String(error)}`);
  return ts;
}

/** Reads with a form, like clients of Slack's read methods. */
export async function read(
  receiver: TeamchatReceiver,
  method: string,
  args: Record<string, string>,
): Promise<Json> {
  const answer = await send(`${receiver.apiUrl}/${method}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${TOKEN}` },
    body: new URLSearchParams(args).toString(),
  });
  return JSON.parse(answer.body) as Json;
}

/** Posts a payload to an incoming webhook. */
export function hook(receiver: TeamchatReceiver, payload: unknown, path?: string): Promise<RawAnswer> {
  return send(receiver.webhookUrl(path), {
    headers: { 'content-type': 'application/json' },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}
