/** The names of Unicode classes, `\p{…}`, as in Go: categories or scripts, in any case. */

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C: 'other',
    Cc: 'control cntrl',
    Cf: 'format',
    Cn: 'unassigned',
    Co: 'privateuse',
    Cs: 'surrogate',
    L: 'letter',
    LC: 'casedletter',
    Ll: 'lowercaseletter',
    Lm: 'modifierletter',
    Lo: 'otherletter',
    Lt: 'titlecaseletter',
    Lu: 'uppercaseletter',
    M: 'mark combiningmark',
    Mc: 'spacingmark',
    Me: 'enclosingmark',
    Mn: 'nonspacingmark',
    N: 'number',
    Nd: 'decimalnumber digit',
    Nl: 'letternumber',
    No: 'othernumber',
    P: 'punctuation punct',
    Pc: 'connectorpunctuation',
    Pd: 'dashpunctuation',
    Pe: 'closepunctuation',
    Pf: 'finalpunctuation',
    Pi: 'initialpunctuation',
    Po: 'otherpunctuation',
    Ps: 'openpunctuation',
    S: 'symbol',
    Sc: 'currencysymbol',
    Sk: 'modifiersymbol',
    Sm: 'mathsymbol',
    So: 'othersymbol',
    Z: 'separator',
    Zl: 'lineseparator',
    Zp: 'paragraphseparator',
    Zs: 'spaceseparator',
  }).flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name] as const)),
);

/** Scripts that the matcher knows and that are newer than Unicode 15.0. */
const LATER: ReadonlySet<string> = new Set(['garay', 'sidetic', 'sunuwar', 'todhri']);

/**
 * The matcher's name of a class. If Go does not know the class, the result is a name that the matcher does not know. Go
 * removes underscores, so it knows no scripts of several words.
 */
export function canonicalClassName(name: string): string {
  const folded = name.replace(/[_\- ]/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (LATER.has(folded)) return '?';
  return ALIASES.get(folded) ?? folded.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
