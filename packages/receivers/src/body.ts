import type { IncomingMessage } from 'node:http';

export interface Body {
  readonly bytes: Buffer;
  /** Whether the body is complete. */
  readonly complete: boolean;
}

/**
 * Reads a request's body to its end, or until it has at least `limit` bytes, or until the connection ends.
 * Never rejects.
 */
export function readBody(req: IncomingMessage, limit = Infinity): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (complete: boolean): void => {
      req.off('data', take);
      req.pause();
      resolve({ bytes: Buffer.concat(chunks), complete });
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) finish(false);
    };
    // 'close' follows. Without a listener the error would end the process.
    req.on('error', () => {});
    if (limit <= 0 || req.destroyed) {
      finish(false);
      return;
    }
    req.on('data', take);
    req.once('end', () => {
      finish(true);
    });
    req.once('close', () => {
      finish(false);
    });
  });
}

export interface Parsed {
  /** Undefined if the bytes are not JSON. */
  readonly json: unknown;
  /** Why the bytes are not JSON; undefined if they are. */
  readonly jsonError: string | undefined;
}

/** Reads bytes as JSON in strict UTF-8. */
export function parseJson(bytes: Buffer): Parsed {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { json: JSON.parse(text) as unknown, jsonError: undefined };
  } catch (error) {
    return { json: undefined, jsonError: error instanceof Error ? error.message : String(error) };
  }
}

/** The fields of a form. If a field occurs twice, the last one counts. Undefined if a name or value is not UTF-8. */
export function parseForm(text: string): Readonly<Record<string, string>> | undefined {
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    const fields = text
      .split('&')
      .filter((field) => field !== '')
      .map((field): [string, string] => {
        const at = field.indexOf('=');
        return at < 0 ? [decode(field), ''] : [decode(field.slice(0, at)), decode(field.slice(at + 1))];
      });
    return Object.fromEntries(fields);
  } catch {
    return undefined;
  }
}

/** Whether a content type names a form. */
export function isForm(contentType: string | undefined): boolean {
  return mediaType(contentType) === 'application/x-www-form-urlencoded';
}

/** A content type without its parameters, in lower case; `''` without one. */
export function mediaType(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
