import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

/** The prefix of a packed text: a raw deflate (RFC 1951) of JSON, in base64. */
const DEFLATED = 'deflate-raw+base64:';
/** Longer JSON is deflated (characters). Deflating shorter JSON costs more than sending it, and people can read plain JSON. */
const PLAIN = 16 * 1024;
/** The longest JSON of an entry's deflated texts, all together (bytes of UTF-8). A plan in etcd has at most about 1.5 MB. */
const LARGEST_JSON = 8 * 1024 * 1024;

const deflate = promisify(deflateRaw);

/** Texts of an entry by name: `observed`, `log 12`, `sinks night/ops`. null removes a text. */
export type Texts = Map<string, string | null>;

/** The JSON of each deflated text (bytes), by the name of the text. */
export type Sizes = ReadonlyMap<string, number>;

/**
 * Deflates long texts. Resolves with their sizes; with undefined, if they are too long together, or beside the `stored` texts that they
 * do not replace. Undefined: no text is long.
 */
export function packLong(
  texts: Texts,
  stored: Iterable<readonly [string, number]> = [],
): Promise<Sizes | undefined> | undefined {
  if (!hasLong(texts)) return undefined;
  const sizes = new Map<string, number>();
  let room = LARGEST_JSON;
  for (const [name, size] of stored) if (!texts.has(name)) room -= size;
  const packings: (() => Promise<void>)[] = [];
  for (const [name, text] of texts) {
    if (text === null || text.length <= PLAIN) continue;
    const json = Buffer.from(text);
    room -= json.length;
    sizes.set(name, json.length);
    packings.push(async () => {
      texts.set(name, DEFLATED + (await deflate(json, { level: 1 })).toString('base64'));
    });
  }
  if (room < 0) return Promise.resolve(undefined);
  return Promise.all(packings.map((each) => each())).then(() => sizes);
}

function hasLong(texts: Texts): boolean {
  for (const text of texts.values()) if (text !== null && text.length > PLAIN) return true;
  return false;
}

/** Reads the texts of one entry. */
export class Unpacker {
  /** Of the texts that were read. */
  readonly sizes = new Map<string, number>();
  /** Characters of each text that is there. */
  readonly lengths = new Map<string, number>();
  #room = LARGEST_JSON;

  /** Throws when the text is not valid, or too long beside those that were read before. Undefined: it is not there. */
  read(name: string, text: string | undefined): unknown {
    if (text === undefined) return undefined;
    this.lengths.set(name, text.length);
    if (!text.startsWith(DEFLATED)) return JSON.parse(text) as unknown;
    const deflated = Buffer.from(text.slice(DEFLATED.length), 'base64');
    const json = inflateRawSync(deflated, { maxOutputLength: this.#room });
    this.#room -= json.length;
    this.sizes.set(name, json.length);
    return JSON.parse(json.toString()) as unknown;
  }
}

/** Reads one text alone. Throws when it is not valid or too long. */
export const unpack = (text: string): unknown => new Unpacker().read('', text);

/** What `read` returns; undefined, if it throws because a text is not valid. */
export function ifValid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
