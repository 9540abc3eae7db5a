/** The checks of random output of templates for botchat. */
import { descriptionOf, readText } from '@hnotif/judges/telegram';
import { fitText } from '../../src/sinks/botchat/fit.ts';
import type { ParseMode } from '../../src/sinks/botchat/markup/markup.ts';

const TOO_LONG: ReadonlySet<string> = new Set(['message is too long', 'text is too long']);
const EMPTY: ReadonlySet<string> = new Set(['message text is empty', 'text must be non-empty']);

/** The faults of a fitted output. */
export function fittingFaults({ text, mode }: { readonly text: string; readonly mode: ParseMode }): string[] {
  const fitted = fitText(text, mode);
  const [before, after] = [
    readText({ text, parse_mode: mode }),
    readText({ text: fitted.text, parse_mode: fitted.mode }),
  ];
  if (before.ok) {
    const isSame = fitted.text === text && fitted.mode === mode;
    return isSame ? [] : ['an acceptable output was changed'];
  }
  if (!TOO_LONG.has(before.fault.error)) {
    // A refused output may stay unchanged: the error of the chat is the best message. A cut output must be accepted.
    if (fitted.text === text || after.ok || EMPTY.has(after.fault.error)) return [];
    return [`cut, and refused: ${descriptionOf(after.fault)}`];
  }
  if (!after.ok) return EMPTY.has(after.fault.error) ? [] : [`not fitted: ${descriptionOf(after.fault)}`];
  return /… \((?:\d+ more characters|more was cut off)\)$/.test(after.text)
    ? []
    : ['the mark of the cut is missing'];
}
