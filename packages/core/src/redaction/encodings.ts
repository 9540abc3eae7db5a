import { cutsOf } from './cuts.ts';
import { replaced, type TextView, ViewBuilder } from './text-view.ts';

/** Blanks, line breaks and invisible characters. */
const BLANK = '[\\s\\p{C}]';
const BLANKS = new RegExp(`${BLANK}+`, 'gu');

export const withoutBlanks = (view: TextView): TextView => replaced(view, BLANKS, () => '');

/**
 * Percent-encoding (also `\xNN`, as some languages print bytes), escapes of JSON and programming languages, HTML references. A line
 * break may be in the middle (here: `~`).
 */
const ESCAPE = new RegExp(
  [
    '(?:%|\\\\~x)~[0-7]~[\\da-f]',
    '(?:%|\\\\~x)~[c-f]~[\\da-f](?:~(?:%|\\\\~x)~[89ab]~[\\da-f]){1,3}',
    '\\\\~u(?:~[\\da-f]){4}',
    '\\\\~[\\\\/"\'bfnrt]',
    '&~(?:amp|lt|gt|quot|apos|nbsp|plus|sol|equals)~;',
    '&~#(?:~\\d){1,7}~;',
    '&~#~x(?:~[\\da-f]){1,6}~;',
  ]
    .join('|')
    .replaceAll('~', `${BLANK}*`),
  'giu',
);

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', plus: '+', sol: '/', equals: '=' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

function characterOf(match: string): string {
  const escape = match.replace(BLANKS, '');
  const body = escape.slice(1);
  if (escape.startsWith('&')) {
    const [, hex, decimal] = /^#x([^;]+);|#(\d+);/i.exec(body) ?? [];
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    if (Number.isNaN(code)) return NAMED[body.slice(0, -1).toLowerCase()] ?? escape;
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
  }
  if (escape.startsWith('%') || /^\\x/i.test(escape))
    return Buffer.from(escape.replace(/%|\\x/gi, ''), 'hex').toString();
  if (/^\\u/i.test(escape)) return String.fromCharCode(parseInt(body.slice(1), 16));
  return NAMED[body] ?? body;
}

/** Decodes one layer of escapes. The same view: there is none. */
export const unescaped = (view: TextView): TextView => replaced(view, ESCAPE, characterOf);

/** How bytes are written as characters. A text may be glued to other ones, so its first byte may begin at any of `phases`. */
interface Code {
  readonly name: 'base64' | 'hex';
  /** Of the shortest credential. */
  readonly token: RegExp;
  readonly phases: readonly number[];
  readonly charactersPerByte: number;
}

const CODES: readonly Code[] = [
  // Both alphabets.
  { name: 'base64', token: /[\w+/-]{6,}/g, phases: [0, 1, 2, 3], charactersPerByte: 4 / 3 },
  { name: 'hex', token: /[\da-f]{8,}/gi, phases: [0, 1], charactersPerByte: 2 },
];

/** UTF-8, as a text of bytes. Other bytes belong to no credential: the token is no base64 or hex, or is read at a wrong phase. */
const UTF8 =
  /(?:[\0\t\r\n -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){4,}/g;

/** The texts within base64 and hex, one after the other. Base64 and hex may have blanks within. Empty: there is none. */
export function decoded(view: TextView): TextView {
  const joined = withoutBlanks(view);
  const builder = new ViewBuilder(joined);
  const cuts = new Set(cutsOf(joined.text));
  for (const code of CODES)
    for (const { 0: token, index } of joined.text.matchAll(code.token))
      for (const phase of code.phases) {
        const end = index + token.length;
        const found = addTexts(builder, code, token.slice(phase), index + phase);
        if (found) builder.add(cuts.has(end) ? '…' : '|', end, end);
      }
  return builder.build();
}

/** Adds the texts of a token, which is at `at`, and returns whether there are any. */
function addTexts(
  builder: ViewBuilder,
  { name, charactersPerByte }: Code,
  token: string,
  at: number,
): boolean {
  let any = false;
  for (const { 0: bytes, index } of Buffer.from(token, name).toString('latin1').matchAll(UTF8)) {
    if (any) builder.add('|', at, at);
    any = true;
    let byte = index;
    for (const character of Buffer.from(bytes, 'latin1').toString()) {
      const start = at + Math.floor(byte * charactersPerByte);
      byte += Buffer.byteLength(character);
      builder.add(character, start, at + Math.ceil(byte * charactersPerByte));
    }
  }
  return any;
}
