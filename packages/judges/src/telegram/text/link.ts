import type { Mark, MentionedUser } from './entity.ts';

const SCHEMES = /^(tg|ton|tonsite):(?:\/\/)?/i;
const ADDRESS = /^(https?:\/\/)?([^/?#]*)(.*)$/is;
// Letters, digits and the marks of RFC 3986 3.2.2; percent signs and what is not ASCII pass.
const HOST = /^(?:[\w.~!$&'()*+,;=%-]|[^\0-\x7f])+$/;

/** A link's entity: a mention if it names a user by id, none if Telegram drops the link as invalid. */
export function linkMark(url: string): Mark | undefined {
  const id = /^[1-9]\d{0,15}$/.exec(tgArguments(url, 'user')?.get('id') ?? '')?.[0];
  if (id !== undefined) {
    const user: MentionedUser = { id: Number(id), is_bot: false, first_name: '' };
    return { type: 'text_mention', user };
  }
  const address = checkedAddress(url);
  return address === undefined ? undefined : { type: 'text_link', url: address };
}

/** The meaning of `![…](url)`: a custom emoji or a date; undefined for another URL. */
export function specialMark(url: string): Mark | undefined {
  const emoji = tgArguments(url, 'emoji');
  if (emoji !== undefined) return emojiMark(emoji.get('id') ?? '');
  const time = tgArguments(url, 'time');
  return time === undefined ? undefined : timeMark(time.get('unix') ?? '', time.get('format') ?? '');
}

export function emojiMark(id: string): Mark | undefined {
  return /^-?[1-9]\d{0,18}$/.test(id) ? { type: 'custom_emoji', custom_emoji_id: id } : undefined;
}

/** A date's entity; undefined for an invalid time. The format has Telegram's order: weekday, date, time. */
export function timeMark(unix: string, format: string): Mark | undefined {
  const time = Number(unix);
  if (!/^[1-9]\d{0,9}$/.test(unix) || time > 0x7fff_ffff || !isTimeFormat(format)) return undefined;
  const pick = (short: string, long: string): string => {
    if (format.includes(short)) return short;
    return format.includes(long) ? long : '';
  };
  const relative = /^r$/i.test(format);
  const parts = relative ? 'r' : `${/w/i.test(format) ? 'w' : ''}${pick('d', 'D')}${pick('t', 'T')}`;
  return { type: 'date_time', unix_time: time, date_time_format: parts };
}

function isTimeFormat(format: string): boolean {
  return /^(?:r|[tdw]*)$/i.test(format);
}

/** The URL in Telegram's form; undefined if it is invalid. */
function checkedAddress(url: string): string | undefined {
  const scheme = SCHEMES.exec(url);
  const [, protocol = '', authority = '', path = ''] = ADDRESS.exec(url.slice(scheme?.[0].length ?? 0)) ?? [];
  const user = authority.lastIndexOf('@') + 1;
  const [host = '', port, ...more] = authority.slice(user).split(':');
  if (!HOST.test(host) || more.length > 0) return undefined;
  const rest = (/^[?#]/.test(path) || path === '' ? `/${path}` : path).replace(
    /[\0-\x20]/g,
    encodeURIComponent,
  );
  if (scheme !== null) {
    if (protocol !== '' || user > 0 || port !== undefined || !/^[\w-]+$/.test(host)) return undefined;
    return `${scheme[1]?.toLowerCase() ?? ''}://${host.toLowerCase()}${rest === '/' ? '' : rest}`;
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535))
    return undefined;
  if (!host.includes('.')) return undefined;
  const shownPort = port === undefined ? '' : `:${Number(port)}`;
  const name = `${authority.slice(0, user)}${host.toLowerCase()}${shownPort}`;
  return `${protocol === '' ? 'http://' : protocol.toLowerCase()}${name}${rest}`;
}

/** The arguments of a `tg:` link to this host. */
function tgArguments(url: string, host: string): URLSearchParams | undefined {
  const link = /^tg:(?:\/\/)?([\w-]+)\/?(?:\?([^#]*))?(?:#.*)?$/is.exec(url);
  return link?.[1]?.toLowerCase() === host ? new URLSearchParams(link[2]) : undefined;
}
