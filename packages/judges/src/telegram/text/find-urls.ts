import type { Entity, Span } from './entity.ts';
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts';

// What is not ASCII may be in an address unless it separates words or is one of the general punctuation marks; of those
// joiners and dashes may.
const BEYOND = String.raw`(?!\p{Z}|[\u2000-\u200b\u200e\u200f\u2016-\u206f])`;
const IN_DOMAIN = new RegExp(String.raw`^(?:[\w.~-]|${BEYOND}[\u{c0}-\u{10ffff}])$`, 'u');
const IN_USER = new RegExp(String.raw`^${BEYOND}[^\n/[\]{}()'${'`'}<>"@«»]$`, 'u');
const IN_SCHEME = /^(?:[a-z\d+-]|(?!\p{Z})[^\0-\x7f])$/iu;
const PATH = new RegExp(String.raw`(?:${BEYOND}[^\n<>"«»])*`, 'uy');
const LAST_WORD = /[\p{L}\p{N}_/#@]$/u;
const ENDS_BADLY = /[.:;,('?!`]+$/;
const TG_LINK = new RegExp(
  String.raw`(?:tg|ton)://[a-z0-9_-]{1,253}(?:([/?#])((?:${BEYOND}[^\n<>"«»])*))?`,
  'giu',
);
const EMAIL =
  /^(?:[a-z0-9_-]{0,26}[.+]){0,10}[a-z0-9_-]{1,35}@(?:(?:[a-z0-9][a-z0-9_-]{0,28})?[a-z0-9]\.){1,6}[a-z]{2,8}$/i;

/** Finds URLs and e-mail addresses, with or without a scheme, like github.com/tdlib/td. */
export function findUrls(text: string): Entity[] {
  const found: Entity[] = text.includes('://') ? findTgLinks(text) : [];
  for (const { offset, length } of candidates(text)) {
    const url = text.slice(offset, offset + length);
    const mailto = url.startsWith('mailto:') ? 7 : 0;
    if (EMAIL.test(url.slice(mailto))) {
      found.push({ type: 'email', offset: offset + mailto, length: length - mailto });
      continue;
    }
    const kept = webAddressLength(url);
    if (kept > 0) found.push({ type: 'url', offset, length: kept });
  }
  return found;
}

function findTgLinks(text: string): Entity[] {
  return [...text.matchAll(TG_LINK)].map(({ index, 0: match, 1: mark = '', 2: path = '' }) => {
    const kept = path.replace(ENDS_BADLY, '');
    const tail = mark !== '' && (mark === '/' || kept !== '') ? mark.length + kept.length : 0;
    return { type: 'url', offset: index, length: match.length - mark.length - path.length + tail };
  });
}

/** Ranges around dots that may be addresses. */
function candidates(text: string): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (;;) {
    const dot = text.indexOf('.', from);
    if (dot < 0 || dot + 1 === text.length) return found;
    if (text[dot + 1] === ' ') {
      from = dot + 2;
      continue;
    }
    const { begin, end, bad } = candidateAt(text, dot, from);
    if (!bad && end > dot + 1) found.push({ offset: begin, length: end - begin });
    let next = end;
    if (bad) while (next > dot && text[next - 1] !== '.') next--;
    else while (text[next] === '.') next++;
    from = Math.max(next, dot + 1);
  }
}

interface Candidate {
  readonly begin: number;
  readonly end: number;
  /** Whether the text before it makes it invalid. */
  readonly bad: boolean;
}

function candidateAt(text: string, dot: number, from: number): Candidate {
  let begin = backwards(text, dot, from, IN_DOMAIN);
  let end = dot;
  let atSign = false;
  for (;;) {
    const character = characterAt(text, end);
    if (character === '@') atSign = true;
    else if (!IN_DOMAIN.test(character)) break;
    end += character.length;
  }
  if (atSign) begin = backwards(text, begin, from, IN_USER);
  end = withoutDots(text, afterPath(text, afterPort(text, end)), dot + 1);

  let bad = false;
  if (begin > from && text[begin - 1] === '@') {
    const user = backwards(text, begin - 1, from, IN_USER);
    bad = atSign || user === begin - 1;
    begin = user;
  }
  if (begin === from) return { begin, end, bad };
  if (begin - from >= 6 && text.startsWith('://', begin - 3)) {
    const scheme = text.slice(backwards(text, begin - 3, from, IN_SCHEME), begin - 3).toLowerCase();
    const known = knownScheme(scheme);
    if (known === undefined) return { begin, end, bad: true };
    return { begin: begin - 3 - known.length, end, bad };
  }
  return { begin, end, bad: bad || LAST_WORD.test(characterBefore(text, begin)) };
}

function knownScheme(scheme: string): string | undefined {
  if (scheme.endsWith('http') && scheme !== 'shttp') return 'http';
  if (scheme.endsWith('https')) return 'https';
  return scheme.endsWith('ftp') && scheme !== 'tftp' && scheme !== 'sftp' ? 'ftp' : undefined;
}

function afterPort(text: string, end: number): number {
  PORT.lastIndex = end;
  const port = PORT.exec(text);
  return port !== null && Number(port[1]) <= 65_535 ? end + port[0].length : end;
}

const PORT = /:0*([1-9]\d{0,4})(?!\d)/y;

function afterPath(text: string, end: number): number {
  const mark = text.charAt(end);
  if (mark !== '/' && mark !== '?' && mark !== '#') return end;
  PATH.lastIndex = end + 1;
  const path = (PATH.exec(text)?.[0] ?? '').replace(ENDS_BADLY, '');
  return mark === '/' || path !== '' ? end + 1 + path.length : end;
}

function withoutDots(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && text[at - 1] === '.') at--;
  return at;
}

/** The length of the URL of a site; 0 without one. */
function webAddressLength(url: string): number {
  const scheme = /^(?:https?|ftp):\/\//i.exec(url)?.[0] ?? '';
  const [, authority = '', path = ''] = /^([^/?#]*)(.*)$/s.exec(url.slice(scheme.length)) ?? [];
  const host = authority.slice(authority.indexOf('@') + 1).replace(/:[^:]*$/, '');
  if (!isHost(host, scheme !== '')) return 0;
  return url.length - path.length + balanced(path);
}

/** The length of a path: it ends before the first unmatched bracket, and not with a punctuation mark. */
function balanced(path: string): number {
  const depth = { '(': 0, '[': 0, '{': 0 };
  let end = 0;
  for (; end < path.length; end++) {
    const character = path.charAt(end);
    if (character === '(' || character === '[' || character === '{') depth[character]++;
    const opening = OPENING[character];
    if (opening !== undefined && --depth[opening] < 0) break;
  }
  return path.slice(0, end).replace(ENDS_BADLY, '').length;
}

const OPENING: Readonly<Record<string, '(' | '[' | '{' | undefined>> = { ')': '(', ']': '[', '}': '{' };

function isHost(host: string, hasScheme: boolean): boolean {
  const parts = host.split('.');
  const top = parts.at(-1) ?? '';
  if (parts.length === 1 || parts.some((part) => part === '' || part.length >= 64 || part.endsWith('-')))
    return false;
  if (parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return true;
  if (/^[\d.]*$/.test(host) || [...top].length <= 1) return false;
  if (parts.at(-2)?.includes('_') === true) return false;
  if (top.startsWith('xn--')) return /^xn--[a-z\d]{2,}$/i.test(top);
  if (/[_-]/.test(top)) return false;
  return hasScheme || isTopLevel(top);
}

/** A capitalized word is the beginning of the next sentence. */
function isTopLevel(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower !== name && lower.slice(1) === name.slice(1)) return false;
  return TOP_LEVEL_DOMAINS.has(lower);
}

/** The start of the run of matching characters before `end`, not before `from`. */
function backwards(text: string, end: number, from: number, pattern: RegExp): number {
  let at = end;
  while (at > from) {
    const character = characterBefore(text, at);
    if (!pattern.test(character)) break;
    at -= character.length;
  }
  return at;
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, index: number): string {
  const low = text.charCodeAt(index - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && index > 1;
  return pair ? characterAt(text, index - 2) : text.charAt(index - 1);
}
