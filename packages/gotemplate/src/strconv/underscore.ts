/** Whether all underscores in a number are between digits, or between a base prefix and a digit. */
export function underscoresFit(text: string): boolean {
  const isHex = /^[+-]?0x/i.test(text);
  const digits = text.replace(/^([+-]?0)[box]/i, '$1');
  return !(isHex ? MISPLACED_IN_HEX : MISPLACED).test(digits);
}

const MISPLACED = /(?<!\d)_|_(?!\d)/;
const MISPLACED_IN_HEX = /(?<![\da-f])_|_(?![\da-f])/i;
