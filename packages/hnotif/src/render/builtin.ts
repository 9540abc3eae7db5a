import { readFileSync } from 'node:fs';
import { type Template, fromJS, parse } from '@hnotif/gotemplate';
import type { Source } from './context.ts';
import { escapeHTML, escapeMarkdownV2, escapeSlack } from './escape.ts';
import { plainFallback } from './fallback.ts';
import { type Cost, cutTo, fit } from './fit.ts';
import { functions } from './functions.ts';
import { BUILTIN } from './types.ts';

interface Form {
  readonly template: Template;
  readonly cost: Cost;
  readonly escape: (text: string) => string;
  /** Whether it lists the targets. */
  readonly lists: boolean;
}

const length: Cost = (text) => text.length;

/**
 * The built-in messages. Telegram counts what is left when the markup has been read
 * (https://core.telegram.org/bots/api#sendmessage); Slack does not say what it counts, so all that is sent is counted.
 */
const FORMS = {
  teamchat: {
    template: load('teamchat/message.gotpl'),
    cost: (text) => escapeSlack(text).length,
    escape: escapeSlack,
    lists: true,
  },
  'botchat-html': {
    template: load('botchat/message-html.gotpl'),
    cost: length,
    escape: escapeHTML,
    lists: true,
  },
  'botchat-markdown': {
    template: load('botchat/message-markdown.gotpl'),
    cost: length,
    escape: escapeMarkdownV2,
    lists: true,
  },
  webhook: {
    template: load('webhook/message.gotpl'),
    cost: length,
    escape: (text) => text,
    lists: false,
  },
} satisfies Record<string, Form>;

export type BuiltinForm = keyof typeof FORMS;

/** The templates stand beside this file, and beside the bundle. They are read once; a build without them does not start. */
function load(path: string): Template {
  return parse(path, readFileSync(new URL(`./templates/${path}`, import.meta.url), 'utf8'), {
    funcs: functions,
  });
}

/**
 * The built-in message, in the markup of its receiver, with every value escaped and on one line. At most `budget` (1,024 or
 * more) UTF-16 units of what a reader sees; for teamchat that is the markup, too. Never throws.
 */
export function renderBuiltin(form: BuiltinForm, source: Source, budget: number): string {
  const { template, cost, escape, lists }: Form = FORMS[form];
  try {
    return template.execute(fromJS(fit(source, budget, cost, lists), BUILTIN));
  } catch {
    // Not the data's doing: a process that was stopped for a second in mid-render meets the engine's deadline.
    return escape(cutTo(plainFallback(source), budget, cost));
  }
}
