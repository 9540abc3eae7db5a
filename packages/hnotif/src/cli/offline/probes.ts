import { isRaw, type Raw } from '@hnotif/core/resources';
import { parseJson, channelIdNotes, textOf as textIn, unreadableByName } from '@hnotif/core/sinks';
import type { Transport } from '../../transport/client.ts';
import type { TlsConfig } from '@hnotif/core/requests';
import type { RecordingOptions } from '@hnotif/core/rehearsal';
import { failed, ok, skipped, warning, type Verdict } from '../check.ts';

export interface ProbeOptions extends Pick<RecordingOptions, 'botApiUrl' | 'chatApiUrl'> {
  readonly transport: Transport;
  /** Of a webhook. */
  readonly tls: TlsConfig | undefined;
}

const FROM_HERE = 'this was tried from your machine; the cluster may reach it';

/** Tries what the configuration of a sink names, without sending a message. */
export async function probe(config: string | Uint8Array, options: ProbeOptions): Promise<readonly Verdict[]> {
  const json = parseJson(textIn(config) ?? '');
  if (!json.ok || !isRaw(json.value)) return [];
  const fields = json.value;
  // As the sinks read them: trimmed, and an empty text is none.
  const word = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const [botToken, token] = [word('bot_token'), word('token')];
  if (botToken !== '') return slack(botToken, word('channel_id'), options);
  if (token !== '' && fields.chat_id !== undefined) return telegram(token, options);
  const address = word('webhook_url') || word('url');
  // The validation reports an invalid address.
  return URL.canParse(address) ? [await connects(new URL(address), options)] : [];
}

/** https://docs.slack.dev/reference/methods/auth.test */
async function slack(token: string, channel: string, options: ProbeOptions): Promise<readonly Verdict[]> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const call = (method: string, body: string): Promise<Raw | string> =>
    ask(new URL(`${options.chatApiUrl}/${method}`), headers, body, options);
  const who = await call('auth.test', '');
  if (typeof who === 'string') return [failed(`Slack was not reached: ${who}; ${FROM_HERE}`)];
  if (who.ok !== true)
    return [failed(`Slack refuses the token: ${textOf(who.error)}; give a bot token of an installed app`)];
  const accepted = ok(`Slack accepts the token of ${textOf(who.user)} in ${textOf(who.team)}`);
  const message = unreadableByName(channel);
  // `validate` has warned of a channel by its name, and not of a user.
  if (message !== undefined)
    return channelIdNotes(channel).length > 0 ? [accepted] : [accepted, warning(message)];
  const read = await call('conversations.history', new URLSearchParams({ channel, limit: '1' }).toString());
  if (typeof read === 'string') return [accepted, failed(`the channel was not asked: ${read}`)];
  return [
    accepted,
    read.ok === true
      ? ok('the channel can be read')
      : failed(
          `the channel cannot be read: ${textOf(read.error)}; check channel_id, invite the app, give it channels:history`,
        ),
  ];
}

/** https://core.telegram.org/bots/api#getme */
async function telegram(token: string, options: ProbeOptions): Promise<readonly Verdict[]> {
  const url = new URL(`${options.botApiUrl}/bot${token}/getMe`);
  const answer = await ask(url, { 'content-type': 'application/json' }, '{}', options);
  if (typeof answer === 'string') return [failed(`Telegram was not reached: ${answer}; ${FROM_HERE}`)];
  const bot = isRaw(answer.result) ? textOf(answer.result.username) : '';
  return answer.ok === true
    ? [
        ok(`Telegram accepts the token of ${bot}`),
        skipped('the chat is not asked: only a message shows whether the bot may write there (hnotif send)'),
      ]
    : [failed(`Telegram refuses the token: ${textOf(answer.description)}; ask @BotFather for it`)];
}

/** The JSON of an answer; a text: why there is none. */
async function ask(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  { transport }: ProbeOptions,
): Promise<Raw | string> {
  const reply = await transport.post({ url, owner: '', headers, body });
  if (reply.kind === 'failed') return reply.message;
  const json = parseJson(reply.body);
  return json.ok && isRaw(json.value) ? json.value : `it answered ${reply.status} without JSON`;
}

/** Opens a connection and closes it: a webhook gets no request. */
async function connects(url: URL, { transport, tls }: ProbeOptions): Promise<Verdict> {
  const failure = await transport.tryConnection({ url, owner: '', tls });
  return failure === undefined
    ? ok(`${url.origin} takes connections (no request was made)`)
    : failed(`there was no connection to ${failure.message}; ${FROM_HERE}`);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');
