import { verdictOf, type Fault, type Verdict } from '@hnotif/judges';
import { judgeText, type TelegramText } from '@hnotif/judges/telegram';
import { escapeHTML, escapeMarkdown } from '../../render/escape.ts';
import { fieldAt, type Origin } from '../value-at.ts';

/** The characters that a value must not have, the function that escapes them, and the one of the other mode. */
const ESCAPES = {
  HTML: [/[<&]/, 'escapeHTML', 'escapeMarkdown'],
  MarkdownV2: [/[_*[\]()~`>#+\-=|{}.!\\]/, 'escapeMarkdown', 'escapeHTML'],
} as const;

const FUNCTIONS = { escapeHTML, escapeMarkdown };

/** The verdict about a text; where a value of the event is at fault, its remedy is about the template. */
export function judgeFrom(message: TelegramText, origin: Origin | undefined): Verdict {
  const verdict = judgeText(message);
  if (verdict.kind === 'accepted' || origin === undefined) return verdict;
  return verdictOf(
    verdict.faults.map((fault) => ({ ...fault, remedy: remedyFrom(message, fault, origin) ?? fault.remedy })),
    verdict.unknown,
  );
}

function remedyFrom(
  { text, parse_mode: mode }: TelegramText,
  { place: { line, column } }: Fault,
  origin: Origin,
): string | undefined {
  if (line === undefined || column === undefined || (mode !== 'HTML' && mode !== 'MarkdownV2'))
    return undefined;
  const before = text
    .split('\n')
    .slice(0, line - 1)
    .join('\n');
  const [special, escape, other] = ESCAPES[mode];
  const at = before.length + (line > 1 ? column : column - 1);
  const plain = fieldAt(text, at, origin, special);
  const found = plain ?? fieldAt(text, at, origin, special, FUNCTIONS[other]);
  if (found === undefined) return undefined;
  const instead = plain === undefined ? ` instead of ${other}` : '';
  return `the text comes from ${found.field}: write {{ ${found.field} | ${escape} }}${instead}`;
}
