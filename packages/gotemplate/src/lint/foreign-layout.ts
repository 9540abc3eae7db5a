/** Layouts of times in the words of other systems: strftime, and those of Java, .NET and JavaScript. */

/** https://pubs.opengroup.org/onlinepubs/9799919799/functions/strftime.html */
const STRFTIME: Readonly<Record<string, string>> = {
  ...{ Y: '2006', y: '06', m: '01', d: '02', e: '_2', j: '002', B: 'January', b: 'Jan', h: 'Jan' },
  ...{ A: 'Monday', a: 'Mon', H: '15', I: '03', M: '04', S: '05', p: 'PM', Z: 'MST', z: '-0700' },
  ...{ F: '2006-01-02', T: '15:04:05', R: '15:04', D: '01/02/06' },
};

/** The longest first. */
const LETTERS: readonly (readonly [letters: string, layout: string])[] = [
  ...([
    ['YYYY', '2006'],
    ['yyyy', '2006'],
    ['YY', '06'],
    ['yy', '06'],
    ['MMMM', 'January'],
    ['MMM', 'Jan'],
    ['MM', '01'],
    ['dddd', 'Monday'],
    ['EEEE', 'Monday'],
    ['ddd', 'Mon'],
    ['EEE', 'Mon'],
    ['DD', '02'],
    ['dd', '02'],
    ['HH', '15'],
    ['hh', '03'],
    ['mm', '04'],
    ['SS', '05'],
    ['ss', '05'],
  ] as const),
  // They join others: `DDTHH`, `ssZ`.
  ['T', 'T'],
  ['Z', 'Z07:00'],
];

const TOKEN = LETTERS.map(([letters]) => letters).join('|');
/**
 * A run of tokens. It is not a word, and not only the T or Z of an ISO time. The expression never reads a token in another way: for `MMMM…`
 * that would take exponential time.
 */
const RUN = new RegExp(`(?<![A-Za-z])(?=[TZ]*[YyMdEDHhmSs])(?:(?=(${TOKEN}))\\1)+(?![A-Za-z])`, 'g');
const BY_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(LETTERS);

/** Go's layout for one in the words of another system; undefined: it has none of them. */
export function layoutOf(text: string): string | undefined {
  const meant = /%[A-Za-z]/.test(text)
    ? text.replace(/%([A-Za-z])/g, (token, letter: string) => STRFTIME[letter] ?? token)
    : text
        // A month does not follow hours.
        .replace(/(?<=[Hh]{2}:)MM/g, 'mm')
        .replace(RUN, (run) => run.replace(new RegExp(TOKEN, 'g'), (token) => BY_LETTERS[token] ?? token));
  return meant === text ? undefined : meant;
}
