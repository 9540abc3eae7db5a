/**
 * Which letter follows which in words: the pairs that stand in at least 15 of the 8,300 words that are most common in documentation of
 * software. Of random letters eight pass in 2 of 100 cases, twelve in 2 of 1,000, sixteen in 3 of 10,000.
 */
const FOLLOWS: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvwxy',
  b: 'abceijlorsuy',
  c: 'acehiklmorstuy',
  d: 'adegilnorsuy',
  e: 'abcdefghiklmnopqrstuvwxy',
  f: 'aefilorstuy',
  g: 'aeghilnorsu',
  h: 'aeilortuy',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeils',
  l: 'adefilnopstuvy',
  m: 'abdeilmopsu',
  n: 'acdefghijklmnoprstuvy',
  o: 'abcdefgiklmnoprstuvwx',
  p: 'adehiloprstuy',
  q: 'u',
  r: 'abcdefgiklmnoprstuvwy',
  s: 'acdefhiklmnopstuwy',
  t: 'acdefhilmoprstuwy',
  u: 'abcdefgilmnoprst',
  v: 'aeio',
  w: 'aehinors',
  x: 'ceipt',
  y: 'aceilmnopst',
  z: 'aei',
};

/** Common in addresses, with pairs that other words do not have. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['callback', 'callbacks', 'checkout', 'dashboard', 'dashboards', 'deployment', 'deployments'],
  ...['endpoint', 'endpoints', 'environment', 'environments', 'github', 'kubernetes', 'opsgenie'],
  ...['webhook', 'webhooks', 'workflow', 'workflows', 'alertmanager'],
]);

/** A passphrase has more words than a name. */
const MOST_WORDS = 3;
const LONGEST_WORD = 15;

/**
 * Whether a segment of a path is plainly no credential: a version, or up to three words in lower case. Digits, capitals and letters
 * that make no word are what tokens are made of.
 */
export function isPlainSegment(segment: string): boolean {
  if (/^(v\d{1,2})?$/.test(segment)) return true;
  const words = segment.split(/[._-]/);
  return words.length <= MOST_WORDS && words.every((word) => KNOWN.has(word) || isWord(word));
}

const isWord = (word: string): boolean =>
  /^[a-z]{2,}$/.test(word) &&
  word.length <= LONGEST_WORD &&
  /[aeiouy]/.test(word) &&
  [...word.slice(1)].every((letter, index) => FOLLOWS[word.charAt(index)]?.includes(letter));
