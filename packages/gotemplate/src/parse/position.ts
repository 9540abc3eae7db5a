import { byteLength } from '../value/text.ts';

interface Place {
  /** From 1. */
  readonly line: number;
  /** In bytes from the last line break, from 0. */
  readonly column: number;
}

/** The position in error messages of an offset in UTF-16 units. */
export function locate(text: string, pos: number): Place {
  const lineStart = pos === 0 ? 0 : text.lastIndexOf('\n', pos - 1) + 1;
  return { line: lineAt(text, lineStart), column: byteLength(text.slice(lineStart, pos)) };
}

/** The line, from 1, of an offset. */
export function lineAt(text: string, pos: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < pos; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
