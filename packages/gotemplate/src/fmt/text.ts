/** Formats strings, and bytes that are printed as strings. */
import type { Budget } from '../budget.ts';
import { canBackquote, quote, quoteToASCII } from '../strconv/quote.ts';
import { toBytes } from '../value/text.ts';
import { pad } from './pad.ts';
import { PLAIN, type Spec } from './spec.ts';

/** Undefined if the verb does not apply to strings. */
export function formatText(budget: Budget, spec: Spec, text: string, verb: string): string | undefined {
  switch (verb) {
    case 's':
    case 'v':
      if (spec === PLAIN) return text;
      return spec.sharpV && verb === 'v' ? quoted(budget, spec, text) : pad(spec, truncate(spec, text));
    case 'q':
      return quoted(budget, spec, text);
    case 'x':
      return formatHex(budget, spec, text);
    case 'X':
      return formatHex(budget, spec, text, true);
    default:
      return undefined;
  }
}

/** Cuts the text to `precision` code points. */
function truncate({ precision }: Spec, text: string): string {
  if (precision < 0 || text.length <= precision) return text;
  let end = 0;
  for (let n = 0; n < precision && end < text.length; n++) {
    const unit = text.charCodeAt(end);
    end += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
  }
  return text.slice(0, end);
}

function quoted(budget: Budget, spec: Spec, text: string): string {
  const cut = truncate(spec, text);
  budget.spend(cut.length >> 6);
  if (spec.sharp && canBackquote(cut)) return pad(spec, `\`${cut}\``);
  return pad(spec, spec.plus ? quoteToASCII(cut, budget) : quote(cut, budget));
}

/** The bytes that are converted at once: an array for all of them would take more memory than the text. */
const PIECE = 4096;
/** The digits of each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Two digits for each byte; the precision counts bytes. */
function formatHex(budget: Budget, spec: Spec, text: string, isUpper = false): string {
  budget.spend(text.length >> 4);
  budget.grow(text.length * (spec.space ? 5 : 2));
  const all = toBytes(text);
  const bytes = spec.precision >= 0 ? all.subarray(0, spec.precision) : all;
  if (bytes.length === 0) return pad(spec, '');
  let hex = '';
  for (let from = 0; from < bytes.length; from += PIECE)
    hex += Array.from(bytes.subarray(from, from + PIECE), (byte) => HEX[byte]).join('');
  const digits = isUpper ? hex.toUpperCase() : hex;
  const prefix = spec.sharp ? (isUpper ? '0X' : '0x') : '';
  return pad(spec, prefix + (spec.space ? digits.replace(/..(?=.)/g, `$& ${prefix}`) : digits));
}
