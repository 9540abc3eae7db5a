import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

/** A journal's content, as its resource carries it. */
export interface ContentText {
  readonly encoding: 'json' | 'deflate';
  /** JSON, or its raw deflate (RFC 1951) in base64. */
  readonly text: string;
}

/** Longer JSON is deflated (characters): short ones stay readable for whoever looks at them. */
const PLAIN = 8 * 1024;
/** No content is longer as JSON (bytes of UTF-8): a plan in etcd is at most some 1.5 MB. */
export const LARGEST_JSON = 8 * 1024 * 1024;

const deflate = promisify(deflateRaw);

/** What was packed, and how long it was as JSON (bytes). */
export interface Packed extends ContentText {
  readonly jsonLength: number;
}

export async function pack(content: unknown): Promise<Packed> {
  const json = JSON.stringify(content);
  if (json.length <= PLAIN) return { encoding: 'json', text: json, jsonLength: json.length };
  const jsonLength = Buffer.byteLength(json);
  return { encoding: 'deflate', text: (await deflate(json)).toString('base64'), jsonLength };
}

/** Throws when the text is not JSON, nothing that was deflated, or longer than any that is written. */
export function unpack({ encoding, text }: ContentText): unknown {
  if (encoding === 'json') return JSON.parse(text) as unknown;
  const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: LARGEST_JSON });
  return JSON.parse(json.toString()) as unknown;
}
