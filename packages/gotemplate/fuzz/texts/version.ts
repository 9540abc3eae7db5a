import type { Random } from '../random.ts';

const SMALL = ['0', '1', '2', '3', '10'];
const ANY = [...SMALL, '01', '999999999999999999999', 'x', '*', ''];
const PRERELEASES = ['', '', '', '-alpha', '-alpha.1', '-beta.2.x', '-rc.01', '-0', '-', '-é', '--', '-1.2'];
const BUILDS = ['', '', '', '+build', '+b.1', '+', '+01'];
const OPERATORS = ['', '=', '!=', '>', '<', '>=', '<=', '=>', '=<', '~', '~>', '^', '> ', '^ ', '==', '!'];

export function version(random: Random): string {
  const most = random.chance(0.1) ? 4 : 3;
  const numbers = random.times(1, most, () => random.pick(random.chance(0.1) ? ANY : SMALL));
  return (
    random.pick(['', '', '', 'v', 'V', ' ']) +
    numbers.join('.') +
    random.pick(PRERELEASES) +
    random.pick(BUILDS)
  );
}

export function constraint(random: Random): string {
  const range = (): string => {
    if (random.chance(0.1)) return `${version(random)} - ${version(random)}`;
    const wild = ['1.x', '2.X', '0.*', '1.2.x', '1.*.3', '*'];
    return random.pick(OPERATORS) + (random.chance(0.2) ? random.pick(wild) : version(random));
  };
  return random.times(1, 3, range).join(random.pick([', ', ' ', ',', ' || ', '||', ' , ', ' | ']));
}
