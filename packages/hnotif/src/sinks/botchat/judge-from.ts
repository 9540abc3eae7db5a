import { verdictOf, type Fault, type Verdict } from '@hnotif/judges';
import { judgeText, type TelegramText } from '@hnotif/judges/telegram';
import { fieldAt, type Origin } from '../value-at.ts';

/** The characters that a value must not have, and the function that escapes them. */
const ESCAPES = {
  HTML: [/[<&]/, 'escapeHTML'],
  MarkdownV2: [/[_*[\]()~`>#+\-=|{}.!\\]/, 'escapeMarkdown'],
} as const;

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
  const [special, escape] = ESCAPES[mode];
  const field = fieldAt(text, before.length + (line > 1 ? column : column - 1), origin, special);
  return field && `the text comes from ${field}: write {{ ${field} | ${escape} }}`;
}
