/** The part of DER (ITU-T X.690) that certificates need. */

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
};

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = unsigned(length);
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

/** Big-endian, without leading zeros. */
function unsigned(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...parts);
export const octets = (...parts: readonly Uint8Array[]): Buffer => tlv(0x04, ...parts);
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
/** A context-specific tag, around a whole value. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  tlv(0xa0 | number, ...parts);
/** A context-specific tag that replaces the tag of a simple value. */
export const implicit = (number: number, bytes: Uint8Array): Buffer => tlv(0x80 | number, bytes);

/** A positive whole number, big-endian. */
export const integer = (bytes: Uint8Array): Buffer =>
  tlv(0x02, Buffer.from((bytes[0] ?? 0) < 0x80 ? [] : [0]), bytes);

/** @param unused the number of unused bits in the last byte */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes);

/** An object identifier, as `2.5.4.3`. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let more = Math.floor(value / 128); more > 0; more = Math.floor(more / 128))
    digits.unshift(0x80 | (more % 128));
  return digits;
}

/** UTC in seconds; the year has two digits up to 2049, as RFC 5280 (4.1.2.5) requires. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return digits < '2050' ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
}
