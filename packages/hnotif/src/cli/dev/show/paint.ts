import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Colours for a terminal, plain text elsewhere, where NO_COLOR asks for it, and on a terminal that has none (TERM is `dumb`); decided
 * here, not once more by styleText. https://no-color.org
 */
export const paintFor = (tty: boolean, env: Readonly<Record<string, string | undefined>>): Paint =>
  tty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
    ? (style, text) => styleText(style, text, { validateStream: false })
    : plain;

export const plain: Paint = (_, text) => text;
