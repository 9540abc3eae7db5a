import { renderBuiltin } from '../../render/builtin.ts';
import type { Source } from '../../render/context.ts';
import { defuse } from '../../render/defuse.ts';
import { plainFallback } from '../../render/fallback.ts';
import { cutTo } from '../../render/fit.ts';
import type { TemplateRunner, TemplateSource } from '../../render/template.ts';
import type { Degradation } from '../degradation.ts';
import { fitText, type SentText } from './fit.ts';
import { LIMITS } from './limits.ts';
import type { ParseMode } from './markup/markup.ts';

/** The built-in message with this markup. Nothing in it mentions anybody. */
export function builtinMessage(source: Source, mode: ParseMode): SentText {
  const form = mode === 'HTML' ? 'botchat-html' : 'botchat-markdown';
  return { text: renderBuiltin(form, source, LIMITS.units), mode };
}

/** Plain text without markup: what no receiver can fail to parse. Nothing in it mentions anybody. */
export function plainMessage(source: Source): SentText {
  // Cut first: what was a path may end in a command then.
  const text = cutTo(plainFallback(source), LIMITS.units, (part) => defuse(part).length);
  return { text: defuse(text), mode: undefined };
}

/** What became of a custom template: its message, or the plain one and what to tell of it. */
export interface CustomMessage extends SentText {
  readonly notice: Degradation | undefined;
}

/**
 * What the custom template makes of an event. Where it fails, or gives nothing that can be seen (Telegram takes no empty
 * message, and an event that was subscribed to is not kept silent), it is the plain message.
 */
export async function customMessage(
  template: TemplateSource,
  source: Source,
  mode: ParseMode,
  templates: TemplateRunner,
  signal: AbortSignal,
): Promise<CustomMessage> {
  const rendered = await templates.render(template, source, signal);
  if (!rendered.ok) {
    const { reason, message } = rendered;
    return { ...plainMessage(source), notice: { reason, message } };
  }
  if (isBlank(rendered.text)) {
    const message = `template ${template.name} gave an empty text for ${source.event.kind}; leave the event out of onEvents to get no message`;
    return { ...plainMessage(source), notice: { reason: 'TemplateEmpty', message } };
  }
  const fitted = fitText(rendered.text.toWellFormed(), mode);
  const message = `the output of template ${template.name} is longer than ${LIMITS.units} characters, and its markup cannot be parsed; it was cut and sent as plain text`;
  return { ...fitted, notice: fitted.mode === undefined ? { reason: 'MarkupInvalid', message } : undefined };
}

/** White space and characters that show nothing: Telegram counts them for none. */
const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Z}\u2800\ufffc]*$/u.test(text);
