import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

export const ROOT = join(import.meta.dirname, '../../../..');

/** A block of code in a page. */
export interface Block {
  readonly language: string;
  /** The words after the language, such as `values` in ```yaml values. */
  readonly kind: string;
  readonly text: string;
  /** Why no test runs it, by the comment `<!-- not run: REASON -->` before it; `''`: there is none. */
  readonly notRun: string;
}

/** A page of the documentation; `path` from the root of the repository. */
export const readPage = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** All blocks of code in a text, also those within a list. */
export const blocksIn = (text: string): readonly Block[] =>
  Array.from(
    text.matchAll(
      /(?:^ *<!-- not run: ((?:(?!-->)[^])+) -->\n\n?)?^( *)```(\w*) ?([\w ]*)\n([^]*?)^\2```$/gm,
    ),
    ([, notRun = '', indent = '', language = '', kind = '', code = '']) => ({
      ...{ language, kind, notRun },
      text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** The languages of blocks with commands. A block with none has commands, too; one that is only output is `text`. */
const SHELLS = ['', 'sh', 'bash', 'console', 'shell'];

/** The blocks of a page with commands for a reader. */
export const commandsIn = (text: string): readonly Block[] =>
  blocksIn(text).filter(({ language }) => SHELLS.includes(language));

/** The blocks of code below a heading, up to the next one. */
export function blocksBelow(page: string, heading: string): readonly Block[] {
  const start = page.indexOf(`\n${heading}\n`);
  expect([heading, start]).not.toEqual([heading, -1]);
  const rest = page.slice(start + heading.length + 2);
  const end = rest.search(/^#+ [A-Z]/m);
  return blocksIn(end === -1 ? rest : rest.slice(0, end));
}

/** The name of the file for a block: its first line, as a comment. */
export function fileNameOf({ text }: Block): string {
  const [, name = ''] = /^# ([\w./-]+\.yaml)\n/.exec(text) ?? [];
  expect([text.slice(0, 40), name]).not.toEqual([text.slice(0, 40), '']);
  return name;
}
