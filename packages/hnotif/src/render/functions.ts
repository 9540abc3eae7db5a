import { type FuncMap, fn, sprig } from '@hnotif/gotemplate';
import { escapeHTML, escapeMarkdown } from './escape.ts';

/** The functions of every template: sprig's and the two escapes. */
export const functions: FuncMap = {
  ...sprig(),
  escapeHTML: fn('func(string) string', escapeHTML),
  escapeMarkdown: fn('func(string) string', escapeMarkdown),
};
