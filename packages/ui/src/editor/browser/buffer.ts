/** What messages need of Node's Buffer, for the page. The build puts it where the code says `Buffer`. */
import { fromBase64 } from './encodings.ts';

const encoder = new TextEncoder();
/** Node keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

class Bytes extends Uint8Array {
  override toString(): string {
    return decoder.decode(this);
  }
}

export const Buffer = {
  byteLength: (text: string): number => encoder.encode(text).length,
  from: (data: string | Uint8Array, encoding?: 'base64'): Bytes =>
    new Bytes(
      typeof data !== 'string' ? data : encoding === 'base64' ? fromBase64(data) : encoder.encode(data),
    ),
};
