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

/** Between two links, or before them. */
const BETWEEN_LINKS = ' | '.length;

const asItIs = (text: string): string => text;

/** Telegram counts the text without its markup (https://core.telegram.org/bots/api#sendmessage). */
const BOTCHAT = {
  cost: (text: string) => neutralizeMentions(text).length,
  neutralize: neutralizeMentions,
  listsTargets: true,
  linkCost: ({ label }: Link) => BETWEEN_LINKS + label.length,
};

/** The built-in messages. Slack does not say what it counts: everything is counted. */
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

/** The templates are next to this file, and next to the bundle. They are read at the start, which fails without them. */
function load(path: string): Template {
  return parse(path, readFileSync(new URL(`./templates/${path}`, import.meta.url), 'utf8'), {
    funcs: functions,
  });
}

/**
 * The built-in message in its receiver's markup. Every value is escaped and on one line; for botchat without mentions. It has at most
 * `budget` (1,024 or more) visible UTF-16 units; for teamchat the markup counts, too. Never throws.
 */
export function renderBuiltin(form: BuiltinForm, source: Source, budget: number): string {
  const { template, escape, ...rules }: Form = FORMS[form];
  try {
    return template.execute(fromJS(fit(source, budget, rules), BUILTIN));
  } catch {
    // A process that was stopped for a second during a rendering exceeds the engine's time limit.
    return escape(rules.neutralize(cutTo(plainFallback(source), budget, rules.cost)));
  }
}
