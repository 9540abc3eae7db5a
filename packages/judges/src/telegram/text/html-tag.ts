import { atByte, isBlank, isEnd, MarkupError } from './markup.ts';
import { readReference } from './reference.ts';

const TAGS = new Set(
  'a b strong i em s strike del u ins tg-spoiler tg-emoji tg-time span pre code blockquote'.split(' '),
);

/** What to write instead of tags that Telegram does not have. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['br', 'a line break'],
  ['p', 'empty lines'],
  ['div', 'line breaks'],
  ['hr', 'a line such as ———'],
  ['ul', 'lines that begin with •'],
  ['ol', 'lines that begin with 1.'],
  ['li', 'a line that begins with •'],
  ['h1', '<b>'],
  ['h2', '<b>'],
  ['h3', '<b>'],
  ['table', '<pre>, and blanks between the columns'],
  ['img', '<a href="…">'],
]);

const ESCAPE = 'write &lt; instead of < if it is text';

function remedyOfTag(name: string): string {
  const instead = INSTEAD.get(name.replace(/\/$/, ''));
  return instead === undefined
    ? `remove the tag, or ${ESCAPE}`
    : `<${name}> is not a tag of Telegram: write ${instead}`;
}

export interface StartTag {
  readonly name: string;
  /** The value of the tag's only relevant attribute: a URL, a language, an emoji's id, a format, `1`. */
  readonly argument: string;
  /** The time of a `tg-time`. */
  readonly unix: string;
  /** The index after the `>`. */
  readonly end: number;
}

/** Reads the start tag at a `<`. @throws MarkupError */
export function readStartTag(source: string, begin: number): StartTag {
  const fault = (message: string, remedy: string): MarkupError =>
    new MarkupError(`${message} ${atByte(source, begin)}`, begin, remedy);
  const unclosed = (what: string): MarkupError =>
    fault(`Unclosed start tag${what}`, `write > where the tag ends, or ${ESCAPE}`);
  let at = begin + 1;
  while (!isBlank(source.charAt(at)) && source[at] !== '>') at++;
  if (isEnd(source.charAt(at))) throw unclosed('');
  const name = lowered(source.slice(begin + 1, at));
  if (!TAGS.has(name)) throw fault(`Unsupported start tag "${name}"`, remedyOfTag(name));

  let argument = '';
  let unix = '';
  while (source[at] !== '>') {
    at = afterBlanks(source, at);
    if (source[at] === '>') break;
    const attributeAt = at;
    while (!isBlank(source.charAt(at)) && !`=>/"'`.includes(source.charAt(at))) at++;
    const attribute = source.slice(attributeAt, at);
    if (attribute === '') {
      const remedy = `write <${name}> without a slash, with attributes as name="value"`;
      throw fault(`Empty attribute name in the tag "${name}"`, remedy);
    }
    at = afterBlanks(source, at);
    let value: string | undefined;
    if (source[at] === '=') {
      at = afterBlanks(source, at + 1);
      if (isEnd(source.charAt(at))) throw unclosed(` "${name}"`);
      ({ value, end: at } = readValue(source, at));
      if (isEnd(source.charAt(at))) throw unclosed('');
    } else if (isEnd(source.charAt(at))) {
      throw unclosed(` "${name}"`);
    }
    if (name === 'tg-time' && attribute === 'unix') unix = value ?? unix;
    argument = meaning(name, attribute, value) ?? argument;
  }
  if (name === 'span' && argument !== 'spoiler') {
    throw fault('Tag "span" must have class "tg-spoiler"', 'write <tg-spoiler>, or remove the tag');
  }
  return { name, argument, unix, end: at + 1 };
}

/** The value of an attribute in a tag; undefined if it has no meaning there. */
function meaning(tag: string, attribute: string, value: string | undefined): string | undefined {
  if (tag === 'blockquote' && attribute === 'expandable') return '1';
  if (value === undefined) return undefined;
  if (tag === 'a' && attribute === 'href') return value;
  if (tag === 'tg-emoji' && attribute === 'emoji-id') return value;
  if (tag === 'tg-time' && attribute === 'format') return value;
  if (tag === 'code' && attribute === 'class' && value.startsWith('language-')) return value.slice(9);
  if (tag === 'span' && attribute === 'class' && value.startsWith('tg-')) return value.slice(3);
  return undefined;
}

function readValue(source: string, begin: number): { readonly value: string; readonly end: number } {
  const quote = source.charAt(begin);
  if (quote !== '"' && quote !== "'") {
    let at = begin;
    while (/[a-z\d.-]/i.test(source.charAt(at))) at++;
    if (!isBlank(source.charAt(at)) && source[at] !== '>') {
      const message = `Unexpected end of name token ${atByte(source, begin)}`;
      throw new MarkupError(message, begin, 'write the value in quotes');
    }
    return { value: lowered(source.slice(begin, at)), end: at };
  }
  let value = '';
  let at = begin + 1;
  while (source[at] !== quote && !isEnd(source.charAt(at))) {
    const reference = source[at] === '&' ? readReference(source, at) : undefined;
    value += reference?.text ?? source.charAt(at);
    at = reference?.end ?? at + 1;
  }
  return { value, end: source[at] === quote ? at + 1 : at };
}

/** Reads the end tag at a `</`. Its name is empty in `</>`, which ends any element. @throws MarkupError */
export function readEndTag(source: string, begin: number): { readonly name: string; readonly end: number } {
  let at = begin + 2;
  while (!isBlank(source.charAt(at)) && source[at] !== '>') at++;
  const name = lowered(source.slice(begin + 2, at));
  at = afterBlanks(source, at);
  if (source[at] !== '>') {
    const message = `Unclosed end tag ${atByte(source, begin)}`;
    throw new MarkupError(message, begin, `write > after the name, or ${ESCAPE}`);
  }
  return { name, end: at + 1 };
}

function afterBlanks(source: string, from: number): number {
  let at = from;
  while (!isEnd(source.charAt(at)) && isBlank(source.charAt(at))) at++;
  return at;
}

/** Telegram converts only ASCII to lower case. */
function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
