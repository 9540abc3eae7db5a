import type { IncomingMessage } from 'node:http';

import type { Json } from './json.ts';
import { decodeProtobuf, PROTOBUF } from './protobuf.ts';
import { scanJson } from './scan.ts';
import { badRequest, bodyTooLarge, unsupportedMediaType } from './status.ts';

/** A real server's limit on request bodies: 3 MiB. */
const MAX_BODY = 3 * 1024 * 1024;
/** Deeper than any real object, and safe for recursive functions. */
const MAX_DEPTH = 500;

/** A body that is too long is read up to this length, so that its client reads the answer. */
const MAX_READ = 8 * MAX_BODY;

/** @throws ApiError 413 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY) chunks.push(chunk);
      else chunks.length = 0;
      if (length > MAX_READ) reject(bodyTooLarge(MAX_BODY));
    });
    request.on('end', () => {
      if (length > MAX_BODY) reject(bodyTooLarge(MAX_BODY));
      else resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}

export interface Body {
  readonly json: Json;
  /** The paths of duplicate fields. */
  readonly duplicates: readonly string[];
}

/**
 * @param type as `mediaType` gave it
 * @throws ApiError 400
 */
export function parseBody(body: Buffer, type: string): Body {
  if (type === PROTOBUF) return { json: decodeProtobuf(body), duplicates: [] };
  const text = body.toString();
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const { duplicates, depth } = scanJson(text);
  if (depth > MAX_DEPTH) throw badRequest(`json: exceeded max depth of ${MAX_DEPTH}`);
  return { json, duplicates };
}

/**
 * The media type of the body, without parameters. Default: JSON.
 *
 * @throws ApiError 415 if it is not in `accepted`
 */
export function mediaType(header: string | undefined, accepted: readonly string[]): string {
  const type = (header ?? '').replace(/;.*$/s, '').trim().toLowerCase();
  if (type === '' && accepted.includes('application/json')) return 'application/json';
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return type;
}
