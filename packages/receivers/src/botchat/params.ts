import { mediaType } from '../body.ts';
import type { Request } from '../decision.ts';
import { badRequest, type Refusal } from './refusal.ts';

/** The parameters of a call by name. JSON values other than strings are JSON text. */
export type Params = Readonly<Record<string, string>>;

export type ParamsReading =
  | { readonly ok: true; readonly params: Params }
  | { readonly ok: false; readonly refusal: Refusal };

const NOT_UTF8: ParamsReading = { ok: false, refusal: badRequest('strings must be encoded in UTF-8') };

/**
 * Reads the query, and a body that is a form or JSON. If a name is in both, that of the query counts
 * (core.telegram.org/bots/api#making-requests).
 */
export function readParams({ path, headers, body }: Request): ParamsReading {
  const at = path.indexOf('?');
  const query = readForm(at < 0 ? Buffer.alloc(0) : Buffer.from(path.slice(at + 1)));
  const rest = readBodyParams(mediaType(headers['content-type']), body.bytes);
  if (!query.ok) return query;
  return rest.ok ? { ok: true, params: { ...rest.params, ...query.params } } : rest;
}

function readBodyParams(type: string, bytes: Buffer): ParamsReading {
  if (type === 'application/json') return readJson(bytes);
  return readForm(type === 'application/x-www-form-urlencoded' ? bytes : Buffer.alloc(0));
}

function readJson(bytes: Buffer): ParamsReading {
  if (bytes.length === 0) return { ok: true, params: {} };
  const text = utf8(bytes);
  if (text === undefined) return NOT_UTF8;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, refusal: badRequest("can't parse JSON") };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { ok: false, refusal: badRequest('JSON object expected') };
  }
  const params = Object.entries(json).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const;
  });
  return { ok: true, params: Object.fromEntries(params) };
}

/** A percent sign that begins no escape is text. */
function readForm(bytes: Buffer): ParamsReading {
  const fields = bytes
    .toString('latin1')
    .split('&')
    .filter((field) => field !== '')
    .map((field) => {
      const at = field.indexOf('=');
      return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
    })
    .map((parts) => parts.map(decoded));
  const params: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (name === undefined || value === undefined) return NOT_UTF8;
    params[name] ??= value;
  }
  return { ok: true, params };
}

/** @param part bytes as Latin-1. */
function decoded(part: string): string | undefined {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return utf8(Buffer.from(bytes, 'latin1'));
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
