import type { Source } from '../render/context.ts';
import { outputDoubt } from './output-doubt.ts';
import type { Reading } from '../render/doubtful-output.ts';
import type { TemplateRunner, TemplateSource } from '../render/template.ts';
import type { SinkType } from '../resources/kinds.ts';
import type { Degradation } from './degradation.ts';
import { FALLBACK_LEVELS, type Message } from './send.ts';
import type { Delivery } from './sink.ts';

/** The message of a chat for the output of a custom template. */
export type CustomForm<T> =
  | { readonly content: T; readonly degradation?: Degradation | undefined }
  /** The output cannot be used: another form is sent. */
  | { readonly instead: 'builtin' | 'plain'; readonly degradation: Degradation };

/** The forms of a chat's messages. `T`: a message as the chat takes it. */
export interface ChatForms<T> {
  /** How readers see the output of a custom template. */
  readonly reading: Reading;
  readonly custom: (output: string, source: Source, template: TemplateSource) => CustomForm<T>;
  readonly builtin: (source: Source) => T;
  readonly plain: (source: Source) => T;
}

/** Makes a chat's message at a fallback level. Where the custom template fails, it is the plain form. */
export async function chatMessage<T extends object>(
  forms: ChatForms<T>,
  { sinkType, templates }: { readonly sinkType: SinkType; readonly templates: TemplateRunner },
  { event, plan, sinkName, template }: Delivery,
  level: number,
  signal: AbortSignal,
): Promise<Message<T>> {
  const source: Source = { event, plan, sinkName, sinkType };
  const { custom, builtin, plain } = FALLBACK_LEVELS;
  if (level >= plain) return { content: forms.plain(source), level: plain, degradation: undefined };
  if (level === builtin || template === undefined)
    return { content: forms.builtin(source), level: builtin, degradation: undefined };
  const rendered = await templates.render(template, source, signal);
  const form: CustomForm<T> = rendered.ok
    ? forms.custom(rendered.text.toWellFormed(), source, template)
    : { instead: 'plain', degradation: { reason: rendered.reason, message: rendered.message } };
  if ('instead' in form) {
    const { instead, degradation } = form;
    return { content: forms[instead](source), level: FALLBACK_LEVELS[instead], degradation };
  }
  const doubt = rendered.ok ? outputDoubt(template, source, rendered.text, forms.reading) : undefined;
  return { content: form.content, level: custom, degradation: form.degradation ?? doubt };
}

/** White space and invisible characters. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Z}\u2800\ufffc]*$/u.test(text);

/** Why an empty output is not sent, and what to do. */
export const EMPTY_OUTPUT =
  'the output is empty, which no chat takes; leave the event out of onEvents to get no message';

/** For an output that shows nothing. Chats take no empty message, and an event that a user subscribed to is not dropped. */
export const emptyForm = (template: string, { event }: Source): CustomForm<never> => ({
  instead: 'plain',
  degradation: {
    reason: 'TemplateEmpty',
    message: `template ${template}, ${event.kind}: ${EMPTY_OUTPUT}`,
  },
});
