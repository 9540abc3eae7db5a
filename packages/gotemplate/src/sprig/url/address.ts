/** Parses IP addresses. URLs need it for Go's errors about invalid ones. */
import { GoError } from '../../errors.ts';
import { quote } from '../../strconv/quote.ts';
import { fromBinary } from '../../value/binary.ts';

/** The version of an IP address, given as a binary string. Throws a GoError with the text of `netip.ParseAddr`. */
export function addressVersion(text: string): 4 | 6 {
  const refuse = (message: string, at = ''): never => {
    const place = at === '' ? '' : ` (at ${quote(fromBinary(at))})`;
    throw new GoError(`ParseAddr(${quote(fromBinary(text))}): ${message}${place}`);
  };
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.':
      checkVersion4(text, refuse);
      return 4;
    case ':':
      checkVersion6(text, refuse);
      return 6;
    case '%':
      return refuse('missing IPv6 address');
    default:
      return refuse('unable to parse IP');
  }
}

type Refuse = (message: string, at?: string) => never;

function checkVersion4(text: string, refuse: Refuse): void {
  let dots = 0;
  let octet = '';
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (/\d/.test(character)) {
      if (octet === '0') refuse('IPv4 field has octet with leading zero');
      octet += character;
      if (Number(octet) > 255) refuse('IPv4 field has value >255');
    } else if (character !== '.') refuse('unexpected character', text.slice(i));
    else {
      if (octet === '' || i === text.length - 1)
        refuse('IPv4 field must have at least one digit', text.slice(i));
      if (dots === 3) refuse('IPv4 address too long');
      dots++;
      octet = '';
    }
  }
  if (dots < 3) refuse('IPv4 address too short');
}

const FIELDS = 8;

function checkVersion6(text: string, refuse: Refuse): void {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) refuse('zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  let fields = 0;
  let gap = rest.startsWith('::');
  if (gap) rest = rest.slice(2);
  if (gap && rest === '') return;
  while (fields < FIELDS) {
    const digits = /^[\da-f]*/i.exec(rest)?.[0].length ?? 0;
    if (digits > 4) refuse('each group must have 4 or less digits', rest);
    if (digits === 0) refuse('each colon-separated field must have at least one digit', rest);
    if (rest[digits] === '.') {
      if (!gap && fields !== FIELDS - 2)
        refuse('embedded IPv4 address must replace the final 2 fields of the address', rest);
      if (fields > FIELDS - 2)
        refuse('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      checkVersion4(rest, refuse);
      rest = '';
      fields += 2;
      break;
    }
    fields++;
    rest = rest.slice(digits);
    if (rest === '') break;
    if (!rest.startsWith(':')) refuse('unexpected character, want colon', rest);
    if (rest === ':') refuse('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (gap) refuse('multiple :: in address', rest);
    gap = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') refuse('trailing garbage after address', rest);
  if (fields < FIELDS && !gap) refuse('address string too short');
  if (fields === FIELDS && gap) refuse('the :: must expand to at least one field of zeros');
}
