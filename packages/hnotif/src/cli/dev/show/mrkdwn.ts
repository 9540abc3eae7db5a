import { piecesOf, type Piece } from '@hnotif/judges/slack';
import { emojiOf } from '@hnotif/receivers/view';
import type { Paint } from '../../paint.ts';
import { printable } from '../../printable.ts';

export interface MrkdwnOptions {
  /** False: `*` and similar characters are not markup, as with `"mrkdwn": false`. Default true. */
  readonly emphasis?: boolean;
}

/**
 * The lines of a text in Slack's mrkdwn as its readers see them: emphasis as styles of the terminal, shortcodes as emoji, links
 * with their addresses. https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnLines(text: string, paint: Paint, { emphasis = true }: MrkdwnOptions = {}): string[] {
  const lines: string[] = [];
  // Whether the next piece continues the last line. A fence and a quote have their own lines.
  let isOpen = false;
  for (const piece of piecesOf(printable(text), emphasis)) {
    const isBlock = piece.kind === 'fence' || piece.kind === 'quote';
    if (isBlock && isOpen && lines.at(-1) === '') lines.pop();
    const [first = '', ...more] = linesOf(piece, paint);
    if (isBlock || !isOpen) lines.push(first);
    else lines.push(`${lines.pop() ?? ''}${first}`);
    lines.push(...more);
    isOpen = !isBlock;
  }
  return lines.length === 0 ? [''] : lines;
}

function linesOf(piece: Piece, paint: Paint): string[] {
  if (piece.kind === 'fence')
    return piece.text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => paint('cyan', line));
  const lines = shown(piece, paint).split('\n');
  return piece.kind === 'quote' ? lines.map((line) => `${paint('gray', '▏')} ${line}`) : lines;
}

const STYLES = { bold: 'bold', italic: 'italic', strike: 'strikethrough' } as const;

function shown(piece: Piece, paint: Paint): string {
  switch (piece.kind) {
    case 'text':
    case 'broken':
    case 'fence':
      return piece.text;
    case 'code':
      return paint('cyan', piece.text);
    case 'emoji':
      return emojiOf(piece.name) ?? `:${piece.name}:`;
    case 'mention':
      return paint('yellow', piece.label ?? piece.who.replace(/^!(?:subteam\^)?/, '@'));
    case 'channel':
      return paint('yellow', piece.label ?? `#${piece.id}`);
    // The fallback names its zone.
    case 'date':
      return piece.fallback;
    case 'link': {
      const address = piece.auto ? piece.url : paint('underline', piece.url);
      return piece.label === piece.url ? address : `${piece.label} (${address})`;
    }
    default: {
      const inside = piece.inside.map((each) => shown(each, paint)).join('');
      return piece.kind === 'quote' ? inside : paint(STYLES[piece.kind], inside);
    }
  }
}
