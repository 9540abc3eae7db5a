import { type Context, type FuncMap, contextual, sprig } from '@hnotif/gotemplate';
import { escapeHTML, escapeMarkdown, escapeMarkdownCode, escapeMarkdownV2, escapeSlack } from './escape.ts';

/** An escape as a template function with a cost. `longest`: the most characters for one. */
const escape = (escaped: (text: string) => string, longest: number) =>
  contextual('func(string) string', ({ budget }: Context, text: string) => {
    budget.spend(1 + text.length / 8);
    // The growth of a long text is known only afterwards.
    budget.grow(text.length < SHORT ? text.length : text.length * longest);
    return escaped(text);
  });

const SHORT = 4096;

/** The functions of every template: sprig's and the escapes. */
export const functions: FuncMap = {
  ...sprig(),
  escapeHTML: escape(escapeHTML, '&#34;'.length),
  escapeMarkdown: escape(escapeMarkdown, 2),
  escapeMarkdownV2: escape(escapeMarkdownV2, 2),
  escapeMarkdownCode: escape(escapeMarkdownCode, 2),
  escapeSlack: escape(escapeSlack, '&amp;'.length),
};
