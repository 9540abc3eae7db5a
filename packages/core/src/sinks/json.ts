export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  /** Both count from 1, the column in UTF-16 units. */
  | { readonly ok: false; readonly line: number; readonly column: number };

/**
 * Parses JSON that may contain credentials: an error has only its position. (The engine's error quotes the text, and does not always
 * have a position.)
 */
export function parseJson(text: string): JsonReading {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    const before = text.slice(0, faultIn(text)).split(/\r\n|\r|\n/);
    return { ok: false, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
}

/** The first field that its object has twice; undefined: there is none. `text`: valid JSON. */
export function twinFieldIn(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (colon !== undefined) {
      const field = JSON.parse(name ?? '') as string;
      if (open.at(-1)?.has(field) === true) return field;
      open.at(-1)?.add(field);
    } else if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
  }
  return undefined;
}

const WHITESPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Whether a whole text of JSON begins at the offset. */
export function isTextAt(text: string, at: number): boolean {
  STRING.lastIndex = at;
  return STRING.test(text);
}

/** The offset of the first token that is not valid JSON (RFC 8259); the length of the text: it ends too early. */
export function faultIn(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'rest' = 'value';
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const skip = (): void => {
    at++;
  };
  for (;;) {
    take(WHITESPACE);
    const next = text[at];
    const inside = open.at(-1);
    const closes = (inside === '{' && next === '}') || (inside === '[' && next === ']');
    if (closes && (expected === 'rest' || expected === 'first value' || expected === 'first key')) {
      open.pop();
      skip();
      expected = 'rest';
    } else if (expected === 'rest') {
      if (next !== ',' || inside === undefined) return at;
      skip();
      expected = inside === '{' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (next !== ':') return at;
      skip();
      expected = 'value';
    } else if (expected === 'key' || expected === 'first key') {
      if (!take(STRING)) return at;
      expected = 'colon';
    } else if (next === '{' || next === '[') {
      open.push(next);
      skip();
      expected = next === '{' ? 'first key' : 'first value';
    } else {
      if (!take(STRING) && !take(SCALAR)) return at;
      expected = 'rest';
    }
  }
}
