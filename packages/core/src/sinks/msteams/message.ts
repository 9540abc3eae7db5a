import { renderBuiltin } from '../../render/builtin.ts';
import { breakFunctions } from '../../render/break-functions.ts';
import type { Source } from '../../render/context.ts';
import { plainFallback } from '../../render/fallback.ts';
import { linksOf } from '../../resources/links.ts';
import { type ChatForms, emptyForm, isBlank } from '../chat-message.ts';
import { messageOf, type TeamsMessage } from './card.ts';
import { fitLines, fitText } from './fit.ts';

/** Of the built-in text, in bytes as Teams stores it. Each line takes some 150 more: of very many lines the card shows the first ones. */
const LONGEST_BUILTIN = 12_000;

/** The card for the output of a template. */
export const customMessage = (output: string): TeamsMessage => messageOf(fitText(output));

function builtinMessage(source: Source): TeamsMessage {
  const { annotations, notification } = source.plan;
  const text = renderBuiltin('msteams', source, LONGEST_BUILTIN);
  return messageOf(fitLines(text.split('\n'), linksOf(annotations, notification)));
}

export const FORMS: ChatForms<TeamsMessage> = {
  reading: 'plain',
  custom: (output, source, template) =>
    isBlank(output) ? emptyForm(template.name, source) : { content: customMessage(output) },
  builtin: builtinMessage,
  plain: (source) => messageOf(fitLines(breakFunctions(plainFallback(source)).split('\n'), [])),
};
