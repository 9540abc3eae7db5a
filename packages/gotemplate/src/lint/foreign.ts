/** Syntax of other template languages. Go shows it as it is. */
import type { Findings } from './finding.ts';

const FOREIGN: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /\{%-?\s*\w+/g,
    'is syntax of Jinja, and is shown as it is; Go writes {{ if … }}, {{ range … }}, {{ end }}',
  ],
  [
    // A URL may hold %C3%A4.
    /[$#]\{[^}\n]{0,100}\}|\$\([A-Z_]{2,40}\)|%[A-Z_]{3,40}%(?![\dA-Fa-f]{2})/g,
    'is not replaced, and is shown as it is; Go writes {{ .Plan.Name }}',
  ],
];

/** Checks the text outside of actions. */
export function checkForeignSyntax(
  findings: Findings,
  { text, pos }: { readonly text: string; readonly pos: number },
): void {
  for (const [pattern, what] of FOREIGN)
    for (const { index, 0: found } of text.matchAll(pattern))
      findings.add('foreign-syntax', pos + index, `${found} ${what}`);
}

/** Why a line with three braces has a syntax error; `''` for other lines. */
export function hintOfBraces(source: string, line: number | undefined): string {
  const text = line === undefined ? '' : (source.split('\n', line)[line - 1] ?? '');
  return text.includes('{{{') ? '; Go writes two braces: {{ … }}' : '';
}
