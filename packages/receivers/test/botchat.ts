import { afterEach } from 'vitest';
import { startBotchatReceiver, type BotchatOptions, type BotchatReceiver } from '../src/index.ts';
import { send, type RawAnswer } from './raw-client.ts';

export const BOT = '123456:test-token';
export const GROUP = -1_001_234_567_890;

/** A function that starts chats for a test file. Each is closed after its test. */
export function botchatsOfTest(): (options?: BotchatOptions) => Promise<BotchatReceiver> {
  const running: BotchatReceiver[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((receiver) => receiver.close()));
  });
  return async (options) => {
    const receiver = await startBotchatReceiver(options);
    running.push(receiver);
    return receiver;
  };
}

/** Calls sendMessage with a JSON body. */
export function sendRaw(receiver: BotchatReceiver, params: unknown, token = BOT): Promise<RawAnswer> {
  return send(`${receiver.url}/bot${token}/sendMessage`, {
    headers: { 'content-type': 'application/json' },
    body: typeof params === 'string' ? params : JSON.stringify(params),
  });
}

/** Sends a message to the group; the answer's status and body. */
export async function sendMessage(
  receiver: BotchatReceiver,
  params: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await sendRaw(receiver, { chat_id: GROUP, ...params });
  return { status, ...(JSON.parse(body) as object) };
}

/** The body of a refusal. */
export function refused(code: number, description: string, parameters?: object): object {
  return { status: code, ok: false, error_code: code, description, ...(parameters && { parameters }) };
}
