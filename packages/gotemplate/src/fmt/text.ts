/** Strings, and bytes that are printed as such, by their verbs. */
import { canBackquote, quote, quoteToASCII } from '../strconv/quote.ts';
import { toBytes } from '../value/text.ts';
import { pad } from './pad.ts';
import { PLAIN, type Spec } from './spec.ts';

/** Undefined if the verb is not one for strings. */
export function formatText(spec: Spec, text: string, verb: string): string | undefined {
  switch (verb) {
    case 's':
    case 'v':
      if (spec === PLAIN) return text;
      return spec.sharpV && verb === 'v' ? quoted(spec, text) : pad(spec, truncate(spec, text));
    case 'q':
      return quoted(spec, text);
    case 'x':
      return formatHex(spec, text);
    case 'X':
      return formatHex(spec, text, true);
    default:
      return undefined;
  }
}

/** Cut to as many code points as the precision says. */
function truncate({ precision }: Spec, text: string): string {
  if (precision < 0 || text.length <= precision) return text;
  let end = 0;
  for (let n = 0; n < precision && end < text.length; n++) {
    const unit = text.charCodeAt(end);
    end += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
  }
  return text.slice(0, end);
}

function quoted(spec: Spec, text: string): string {
  const cut = truncate(spec, text);
  if (spec.sharp && canBackquote(cut)) return pad(spec, `\`${cut}\``);
  return pad(spec, spec.plus ? quoteToASCII(cut) : quote(cut));
}

/** Two digits for each byte; the precision counts bytes. */
function formatHex(spec: Spec, text: string, isUpper = false): string {
  const all = Buffer.from(toBytes(text));
  const bytes = spec.precision >= 0 ? all.subarray(0, spec.precision) : all;
  if (bytes.length === 0) return pad(spec, '');
  const hex = bytes.toString('hex');
  const digits = isUpper ? hex.toUpperCase() : hex;
  const prefix = spec.sharp ? (isUpper ? '0X' : '0x') : '';
  return pad(spec, prefix + (spec.space ? digits.replace(/..(?=.)/g, `$& ${prefix}`) : digits));
}
