import { LIMITS } from '@hnotif/judges/telegram';
import { renderBuiltin } from '../../render/builtin.ts';
import type { Source } from '../../render/context.ts';
import { neutralizeMentions } from '../../render/neutralize-mentions.ts';
import { plainFallback } from '../../render/fallback.ts';
import { cutTo } from '../../render/fit.ts';
import { type ChatForms, type CustomForm, emptyForm, isBlank } from '../chat-message.ts';
import { fitText, type SentText } from './fit.ts';
import type { ParseMode } from './markup/markup.ts';

/** The built-in message with this markup, without mentions. */
export function builtinMessage(source: Source, mode: ParseMode): SentText {
  const form = mode === 'HTML' ? 'botchat-html' : 'botchat-markdown';
  return fitText(renderBuiltin(form, source, LIMITS.units), mode);
}

/** Plain text without markup and mentions. */
export function plainMessage(source: Source): SentText {
  // Cut first: a cut path may be a command.
  const text = cutTo(plainFallback(source), LIMITS.units, (part) => neutralizeMentions(part).length);
  return fitText(neutralizeMentions(text), undefined);
}

/** Output that fits is sent as it is, mistakes in its markup included. */
export function customMessage(
  output: string,
  source: Source,
  template: string,
  mode: ParseMode,
): CustomForm<SentText> {
  if (isBlank(output)) return emptyForm(template, source);
  const content = fitText(output, mode);
  if (content.mode !== undefined) return { content };
  const message = `the output of template ${template} is longer than ${LIMITS.units} characters, and its markup cannot be parsed; it was cut and sent as plain text`;
  return { content, degradation: { reason: 'MarkupInvalid', message } };
}

export const formsOf = (mode: ParseMode): ChatForms<SentText> => ({
  reading: mode,
  custom: (output, source, template) => customMessage(output, source, template.name, mode),
  builtin: (source) => builtinMessage(source, mode),
  plain: plainMessage,
});
