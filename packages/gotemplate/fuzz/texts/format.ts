import type { Random } from '../random.ts';
import { several } from './plain.ts';

const VERBS = [...'vvdsqxXtcUboOeEfFgGTz%w!ék'];
const INDEXES = ['1', '2', '3', '0', '-1', 'x', '99'].map((n) => `[${n}]`);
const WIDTHS = ['1', '5', '8', '12', '20', '*', '[1]*'];
const PRECISIONS = ['.', '.0', '.1', '.3', '.8', '.*', '.20', '.-1', '.[2]*'];
const BETWEEN = ['', ' ', '\n', '%', 'x ', '世'];

/** A verb of printf with flags, index, width and precision. */
function verb(random: Random): string {
  const some = (probability: number, parts: readonly string[]): string =>
    random.chance(probability) ? random.pick(parts) : '';
  const flags = random.chance(0.5) ? several(random, 0, 2, () => random.pick([...'+-# 0'])) : '';
  return `%${flags}${some(0.04, INDEXES)}${some(0.3, WIDTHS)}${some(0.3, PRECISIONS)}${random.pick(VERBS)}`;
}

export const format = (random: Random): string =>
  several(random, 1, 3, () => (random.chance(0.2) ? random.pick(BETWEEN) : '') + verb(random)) +
  (random.chance(0.03) ? '%' : '');
