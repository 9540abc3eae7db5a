import type { Entity, Formatted, PlainKind } from './entity.ts';
import { readEndTag, readStartTag, type StartTag } from './html-tag.ts';
import { emojiMark, linkMark, timeMark } from './link.ts';
import { atByte, MarkupError, Output } from './markup.ts';
import { readReference } from './reference.ts';

interface OpenTag {
  readonly tag: StartTag;
  /** The index of its `<` in the source. */
  readonly at: number;
  /** The start of its content in the text. */
  readonly offset: number;
}

/** The tags with one kind of entity and no relevant attributes. */
const PLAIN: Readonly<Record<string, PlainKind>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
};

/**
 * Parses a text with `parse_mode` HTML as strictly as Telegram (core.telegram.org/bots/api#html-style). The messages are those of its
 * server, github.com/tdlib/td. From the index `upTo` on nothing more is read, and what is open ends there. @throws MarkupError
 */
export function parseHtml(source: string, upTo = Infinity): Formatted {
  const out = new Output();
  const open: OpenTag[] = [];
  // The language of each code entity. Only an enclosing pre uses it.
  const languages = new Map<Entity, string>();
  let half: number | undefined;
  let at = 0;
  while (at < Math.min(source.length, upTo)) {
    const special = nextSpecial(source, at);
    out.write(source.slice(at, special));
    at = special;
    if (at === source.length) break;
    if (source[at] === '&') {
      const reference = readReference(source, at);
      out.write(reference?.text ?? '&');
      if (reference?.half === true) half ??= at;
      at = reference?.end ?? at + 1;
    } else if (source[at + 1] === '/') {
      at = close(at);
    } else {
      const tag = readStartTag(source, at);
      open.push({ tag, at, offset: out.offset });
      at = tag.end;
    }
  }
  const left = open.at(-1);
  if (left !== undefined && source.length <= upTo) {
    const { name } = left.tag;
    const message = `Can't find end tag corresponding to start tag "${name}"`;
    throw new MarkupError(message, left.at, `write </${name}> where it ends`);
  }
  if (half !== undefined) {
    const message =
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units';
    throw new MarkupError(message, half, 'write the character itself, or its whole number');
  }
  for (const tag of open.toReversed()) if (out.offset > tag.offset) add(tag);
  return out.formatted();

  function close(from: number): number {
    const last = open.at(-1);
    if (last === undefined) {
      const message = `Unexpected end tag ${atByte(source, from)}`;
      throw new MarkupError(message, from, 'remove it, or write &lt; instead of < if it is text');
    }
    const { name, end } = readEndTag(source, from);
    if (name !== '' && name !== last.tag.name) {
      const expected = `</${last.tag.name}>`;
      const message = `Unmatched end tag ${atByte(source, from)}, expected "${expected}", found "</${name}>"`;
      throw new MarkupError(message, from, `write ${expected} before it: the last tag ends first`);
    }
    if (out.offset > last.offset) add(last);
    open.pop();
    return end;
  }

  function add({ tag, at: from, offset }: OpenTag): void {
    const span = { offset, length: out.offset - offset };
    const { name, argument } = tag;
    const previous = out.entities.at(-1);
    const covers = previous?.offset === span.offset && previous.length === span.length ? previous : undefined;
    switch (name) {
      case 'a': {
        const mark = linkMark(argument === '' ? out.since(offset) : argument);
        if (mark !== undefined) out.entities.push({ ...mark, ...span });
        return;
      }
      case 'tg-emoji': {
        const mark = emojiMark(argument);
        if (mark === undefined)
          throw new MarkupError(
            'Invalid custom emoji identifier specified',
            from,
            'write a number into emoji-id',
          );
        out.entities.push({ ...mark, ...span });
        return;
      }
      case 'tg-time': {
        const mark = timeMark(tag.unix, argument);
        if (mark === undefined)
          throw new MarkupError(
            'Invalid date format used',
            from,
            'write seconds since 1970 into unix, and r or letters of wdDtT into format',
          );
        out.entities.push({ ...mark, ...span });
        return;
      }
      case 'blockquote':
        out.entities.push({ type: argument === '' ? 'blockquote' : 'expandable_blockquote', ...span });
        return;
      // A pre gets the language of a code element with the same text, inside or outside of it.
      case 'pre': {
        const language = covers?.type === 'code' ? languages.get(covers) : undefined;
        if (language !== undefined) out.entities.splice(-1, 1, { type: 'pre', ...span, language });
        else out.entities.push({ type: 'pre', ...span });
        return;
      }
      case 'code': {
        if (covers?.type === 'pre' && covers.language === undefined && argument !== '') {
          out.entities.splice(-1, 1, { ...covers, language: argument });
          return;
        }
        const entity: Entity = { type: 'code', ...span };
        if (argument !== '') languages.set(entity, argument);
        out.entities.push(entity);
        return;
      }
      default: {
        const kind = PLAIN[name];
        if (kind !== undefined) out.entities.push({ type: kind, ...span });
      }
    }
  }
}

function nextSpecial(source: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(source)?.index ?? source.length;
}

const SPECIAL = /[&<]/g;
