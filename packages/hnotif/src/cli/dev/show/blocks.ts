import { withEmoji } from '@hnotif/receivers/view';
import { mrkdwnLines } from './mrkdwn.ts';
import { listAt, objectAt } from '../../fields.ts';
import { plain, type Paint } from '../../paint.ts';
import { printable, printableLine } from '../../printable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The width of a column of fields. A longer field has its own line. */
const COLUMN = 34;

/** The lines of Slack's blocks as readers see them. https://docs.slack.dev/reference/block-kit/blocks */
export function blockLines(blocks: readonly Fields[], paint: Paint): string[] {
  return blocks.flatMap((block) => linesOf(block, paint));
}

function linesOf(block: Fields, paint: Paint): string[] {
  switch (block.type) {
    case 'header':
      return textLines(block.text, plain).map((line) => paint('bold', line));
    case 'section':
      return [...textLines(block.text, paint), ...columns(listOf(block.fields), paint)];
    case 'context':
      return [
        paint(
          'gray',
          listOf(block.elements)
            .map((each) => (each.type === 'image' ? image(each) : textLines(each, plain).join(' ')))
            .join('  '),
        ),
      ];
    case 'divider':
      return [paint('gray', '─'.repeat(24))];
    case 'image':
      return [...textLines(block.title, paint), image(block)];
    default:
      return words(block).map((text) => printableLine(text));
  }
}

/** A text object: `{type: 'mrkdwn' | 'plain_text', text}`. */
function textLines(object: unknown, paint: Paint): string[] {
  const { type, text, emoji } = objectAt(object);
  if (typeof text !== 'string') return [];
  if (type === 'mrkdwn') return mrkdwnLines(text, paint);
  return (emoji === false ? printable(text) : withEmoji(printable(text))).split('\n');
}

/** Two fields on a line, if both are short. */
function columns(fields: readonly Fields[], paint: Paint): string[] {
  const lines: string[] = [];
  let left: { readonly shown: string; readonly width: number } | undefined;
  for (const field of fields) {
    const shown = textLines(field, paint);
    const width = textLines(field, plain).join('').length;
    const [only = '', ...more] = shown;
    if (more.length > 0 || width > COLUMN) {
      if (left !== undefined) lines.push(left.shown);
      lines.push(...shown);
      left = undefined;
    } else if (left === undefined) left = { shown: only, width };
    else {
      lines.push(`${left.shown}${' '.repeat(COLUMN + 2 - left.width)}${only}`);
      left = undefined;
    }
  }
  return left === undefined ? lines : [...lines, left.shown];
}

const image = ({ alt_text: alt }: Fields): string =>
  `[${typeof alt === 'string' ? printableLine(alt) : 'image'}]`;

/** All texts of a block of another kind. */
function words(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(words);
  return Object.entries(objectAt(value)).flatMap(([key, inside]) => {
    if (typeof inside !== 'string') return words(inside);
    return key === 'text' || key === 'fallback' ? [inside] : [];
  });
}

const listOf = (value: unknown): readonly Fields[] => listAt(value).map((each) => objectAt(each));
