/** The checks of random output of templates for botchat: the judge, the simulator and the sink agree. */
import { descriptionOf, judgeText, readText, type TelegramText } from '@hnotif/judges/telegram';
import { isDeepStrictEqual } from 'node:util';
import { exampleSource } from '@hnotif/core/render';
import type { SentText } from '../../../../core/src/sinks/botchat/fit.ts';
import type { ParseMode } from '../../../../core/src/sinks/botchat/markup/markup.ts';
import { customMessage } from '../../../../core/src/sinks/botchat/message.ts';
import { botchat, posted } from '../../../../receivers/src/testing/without-http.ts';

const TOO_LONG: ReadonlySet<string> = new Set(['message is too long', 'text is too long']);
const EMPTY: ReadonlySet<string> = new Set(['message text is empty', 'text must be non-empty']);
const SOURCE = exampleSource('Failure', 'botchat', 'shutdown');

/** The answer of the simulated sendMessage, without HTTP: the message in the chat, or the refusal. */
function simulated({ text, parse_mode }: TelegramText) {
  const body = JSON.stringify({ chat_id: 1, text, parse_mode });
  const decision = botchat().handle(posted('/bot1:x/sendMessage', body));
  return decision.takes ? decision.settle().findings?.message : decision.findings.refusal?.description;
}

/** Where the judge and the simulator disagree about a text. */
function disagreements(message: TelegramText): string[] {
  const reading = readText(message);
  const answer = simulated(message);
  if ((judgeText(message).kind === 'accepted') !== reading.ok) return ['the judge disagrees with itself'];
  if (!reading.ok) {
    const expected = `Bad Request: ${descriptionOf(reading.fault)}`;
    return answer === expected ? [] : [`the simulator does not say: ${expected}`];
  }
  const { text, entities } = reading;
  const isSame =
    typeof answer === 'object' && isDeepStrictEqual([answer.text, answer.entities], [text, entities]);
  return isSame ? [] : ['the simulator shows something else'];
}

/** The faults of an output: where judge, simulator and sink disagree about it or about what is sent. */
export function outputFaults({ text, mode }: { readonly text: string; readonly mode: ParseMode }): string[] {
  const output = { text, parse_mode: mode };
  const made = customMessage(text, SOURCE, 'cm/key', mode);
  const before = readText(output);
  if (!('content' in made))
    return !before.ok && EMPTY.has(before.fault.error) ? [] : ['a visible output counts as empty'];
  const sent = { text: made.content.text, parse_mode: made.content.mode };
  return [...disagreements(output), ...disagreements(sent), ...fittingFaults(output, made.content)];
}

/** The faults of what is sent instead of an output. */
function fittingFaults(output: TelegramText, { text, mode }: SentText): string[] {
  const [before, after] = [readText(output), readText({ text, parse_mode: mode })];
  const isSame = text === output.text && mode === output.parse_mode;
  if (before.ok) return isSame ? [] : ['an acceptable output was changed'];
  // A refused output may stay unchanged: the error of the chat is the best message. A cut output must be accepted.
  if (!TOO_LONG.has(before.fault.error) && (isSame || after.ok)) return [];
  if (!after.ok) return EMPTY.has(after.fault.error) ? [] : [`not fitted: ${descriptionOf(after.fault)}`];
  return /… \((?:\d+ more characters|more was cut off)\)$/.test(after.text)
    ? []
    : ['the mark of the cut is missing'];
}
