import { styleText } from 'node:util';

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Colours on a terminal. Plain text elsewhere, with NO_COLOR, and on a terminal without colours (TERM is `dumb`). https://no-color.org
 */
export const paintFor = (tty: boolean, env: Readonly<Record<string, string | undefined>>): Paint =>
  tty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
    ? (style, text) => styleText(style, text, { validateStream: false })
    : plain;

export const plain: Paint = (_, text) => text;

/** The colours of findings, by their severity. */
export const SEVERITY_COLOURS = { error: 'red', warning: 'yellow', note: 'dim' } as const;
