/** The names of Unicode classes, `\p{…}`, as Go takes them: by category or script, whatever their case. */

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

/** Scripts that came after Unicode 15.0 and that the matcher knows. */
const LATER: ReadonlySet<string> = new Set(['garay', 'sidetic', 'sunuwar', 'todhri']);

/**
 * The name under which the matcher has a class; one that it does not know for what Go does not know. Go drops underscores,
 * so that scripts of several words have no name at all.
 */
export function canonicalClassName(name: string): string {
  const folded = name.replace(/[_\- ]/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (LATER.has(folded)) return '?';
  return ALIASES.get(folded) ?? folded.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
