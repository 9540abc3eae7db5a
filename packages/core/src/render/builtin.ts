import { type Template, fromTrusted, parse as parseTemplate } from '@hnotif/gotemplate';
import type { Link } from '../resources/links.ts';
import { breakFunctions } from './break-functions.ts';
import { BUILTIN_TEXTS } from './builtin-texts.ts';
import type { Source } from './context.ts';
import { neutralizeMentions } from './neutralize-mentions.ts';
import { escapeHTML, escapeMarkdownV2, escapeSlack } from './escape.ts';
import { plainFallback } from './fallback.ts';
import { cutTo, fit, type MarkupRules } from './fit.ts';
import { functions } from './functions.ts';
import { sharedMessage } from './shared-message.ts';
import { storedBytes } from './stored-bytes.ts';
import { BUILTIN } from './types.ts';

interface Form extends MarkupRules {
  readonly template: () => Template;
  readonly escape: (text: string) => string;
}

/** Between two links, or before them. */
const BETWEEN_LINKS = ' | '.length;

/** Parses it when it is first used: a command or a start needs none. */
function parse(path: string, text: string): () => Template {
  let template: Template | undefined;
  return () => (template ??= parseTemplate(path, text, { funcs: functions }));
}

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
    template: parse('teamchat/message.gotpl', BUILTIN_TEXTS.teamchat),
    cost: (text) => escapeSlack(text).length,
    neutralize: asItIs,
    escape: escapeSlack,
    listsTargets: true,
    linkCost: ({ label, url }) => BETWEEN_LINKS + `<${escapeSlack(url)}|${label}>`.length,
  },
  'botchat-html': {
    ...BOTCHAT,
    template: parse('botchat/message-html.gotpl', BUILTIN_TEXTS.botchatHtml),
    escape: escapeHTML,
  },
  'botchat-markdown': {
    ...BOTCHAT,
    template: parse('botchat/message-markdown.gotpl', BUILTIN_TEXTS.botchatMarkdown),
    escape: escapeMarkdownV2,
  },
  msteams: {
    template: parse('msteams/message.gotpl', BUILTIN_TEXTS.msteams),
    cost: (text) => storedBytes(breakFunctions(text)),
    neutralize: breakFunctions,
    escape: asItIs,
    listsTargets: true,
  },
  webhook: {
    template: parse('webhook/message.gotpl', BUILTIN_TEXTS.webhook),
    cost: (text) => text.length,
    neutralize: asItIs,
    escape: asItIs,
    listsTargets: false,
  },
} satisfies Record<string, Form>;

export type BuiltinForm = keyof typeof FORMS;

/**
 * The built-in message in its receiver's markup. Every value is escaped and on one line; for botchat without mentions. It has at most
 * `budget` (1,024 or more) visible UTF-16 units; for teamchat the markup counts, too. Never throws.
 */
export function renderBuiltin(form: BuiltinForm, source: Source, budget: number): string {
  const { template, escape, ...rules }: Form = FORMS[form];
  try {
    const make = (): string => template().execute(fromTrusted(fit(source, budget, rules), BUILTIN));
    // A line without targets is made as fast as it is found.
    return rules.listsTargets ? sharedMessage(source, `${form} ${budget}`, make) : make();
  } catch {
    // Where the CPU time is not known, a process that was stopped for long exceeds the engine's time limit. The next sink tries again.
    return escape(rules.neutralize(cutTo(plainFallback(source), budget, rules.cost)));
  }
}
