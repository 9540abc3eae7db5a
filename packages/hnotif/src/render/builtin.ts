import { readFileSync } from 'node:fs';
import { type Template, fromJS, parse } from '@hnotif/gotemplate';
import type { Link } from '../resources/links.ts';
import type { Source } from './context.ts';
import { neutralizeMentions } from './neutralize-mentions.ts';
import { escapeHTML, escapeMarkdownV2, escapeSlack } from './escape.ts';
import { plainFallback } from './fallback.ts';
import { cutTo, fit, type MarkupRules } from './fit.ts';
import { functions } from './functions.ts';
import { BUILTIN } from './types.ts';

interface Form extends MarkupRules {
  readonly template: Template;
  readonly escape: (text: string) => string;
}

/** What stands between two links, or before them. */
const BETWEEN_LINKS = ' | '.length;

const asItIs = (text: string): string => text;

/** Telegram counts what is left when the markup has been read (https://core.telegram.org/bots/api#sendmessage). */
const BOTCHAT = {
  cost: (text: string) => neutralizeMentions(text).length,
  neutralize: neutralizeMentions,
  listsTargets: true,
  linkCost: ({ label }: Link) => BETWEEN_LINKS + label.length,
};

/** The built-in messages. Slack does not say what it counts, so all that is sent is counted. */
const FORMS = {
  teamchat: {
    template: load('teamchat/message.gotpl'),
    cost: (text) => escapeSlack(text).length,
    neutralize: asItIs,
    escape: escapeSlack,
    listsTargets: true,
    linkCost: ({ label, url }) => BETWEEN_LINKS + `<${escapeSlack(url)}|${label}>`.length,
  },
  'botchat-html': {
    ...BOTCHAT,
    template: load('botchat/message-html.gotpl'),
    escape: escapeHTML,
  },
  'botchat-markdown': {
    ...BOTCHAT,
    template: load('botchat/message-markdown.gotpl'),
    escape: escapeMarkdownV2,
  },
  webhook: {
    template: load('webhook/message.gotpl'),
    cost: (text) => text.length,
    neutralize: asItIs,
    escape: asItIs,
    listsTargets: false,
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
 * The built-in message, in the markup of its receiver, with every value escaped and on one line; for botchat nothing in it mentions anybody. At most `budget` (1,024 or
 * more) UTF-16 units of what a reader sees; for teamchat that is the markup, too. Never throws.
 */
export function renderBuiltin(form: BuiltinForm, source: Source, budget: number): string {
  const { template, escape, ...rules }: Form = FORMS[form];
  try {
    return template.execute(fromJS(fit(source, budget, rules), BUILTIN));
  } catch {
    // Not the data's doing: a process that was stopped for a second in mid-render meets the engine's deadline.
    return escape(rules.neutralize(cutTo(plainFallback(source), budget, rules.cost)));
  }
}
