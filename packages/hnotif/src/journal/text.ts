import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

/** The prefix of a packed text: a raw deflate (RFC 1951) of JSON, in base64. */
const DEFLATED = 'deflate-raw+base64:';
/** Longer JSON is deflated (characters). Deflating shorter JSON costs more than sending it, and people can read plain JSON. */
const PLAIN = 16 * 1024;
/** The longest JSON (bytes of UTF-8). A plan in etcd has at most about 1.5 MB. */
const LARGEST_JSON = 8 * 1024 * 1024;

const deflate = promisify(deflateRaw);

/** Packs JSON for a journal, synchronously if it is short; undefined: it is too long. */
export const pack = (json: string): string | Promise<string | undefined> =>
  json.length <= PLAIN ? json : deflated(json);

async function deflated(json: string): Promise<string | undefined> {
  const bytes = Buffer.from(json);
  if (bytes.length > LARGEST_JSON) return undefined;
  return DEFLATED + (await deflate(bytes, { level: 1 })).toString('base64');
}

/** Texts of an entry by name: `observed`, `log 12`, `sinks night/ops`. null removes a text. */
export type Texts = Map<string, string | null>;

/** Deflates long texts. Resolves with false if one is too long; undefined: no text is long. */
export function packLong(texts: Texts): Promise<boolean> | undefined {
  const packings: Promise<boolean>[] = [];
  for (const [name, text] of texts) {
    const packing = text === null ? null : pack(text);
    if (!(packing instanceof Promise)) continue;
    packings.push(
      packing.then((packed) => {
        if (packed !== undefined) texts.set(name, packed);
        return packed !== undefined;
      }),
    );
  }
  return packings.length === 0
    ? undefined
    : Promise.all(packings).then((each) => each.every((isPacked) => isPacked));
}

/** Throws when the text is not valid or too long. */
export const unpack = (text: string): unknown =>
  text.startsWith(DEFLATED) ? inflate(text.slice(DEFLATED.length)) : (JSON.parse(text) as unknown);

/** The JSON of a raw deflate in base64. Throws as `unpack` does. */
export function inflate(base64: string): unknown {
  const json = inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: LARGEST_JSON });
  return JSON.parse(json.toString()) as unknown;
}
