import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/** A journal's content, as its resource carries it. */
export interface ContentText {
  readonly encoding: 'json' | 'deflate';
  /** JSON, or its raw deflate (RFC 1951) in base64. */
  readonly text: string;
}

/** Longer JSON is deflated (characters): short ones stay readable for whoever looks at them. */
const PLAIN = 8 * 1024;
/** No content inflates to more than this (bytes): a plan is at most some 1.5 MB. */
const LARGEST = 64 * 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export async function pack(content: unknown): Promise<ContentText> {
  const json = JSON.stringify(content);
  if (json.length <= PLAIN) return { encoding: 'json', text: json };
  return { encoding: 'deflate', text: (await deflate(json)).toString('base64') };
}

/** Rejects when the text is no JSON, or nothing that was deflated. */
export async function unpack({ encoding, text }: ContentText): Promise<unknown> {
  if (encoding === 'json') return JSON.parse(text) as unknown;
  const json = await inflate(Buffer.from(text, 'base64'), { maxOutputLength: LARGEST });
  return JSON.parse(json.toString()) as unknown;
}
