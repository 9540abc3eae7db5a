import { isForm, mediaType, parseForm, parseJson } from '../body.ts';
import type { Request } from '../decision.ts';
import { isFields, type Fields } from '@hnotif/judges/slack';
import { jsonFault } from '@hnotif/judges/slack';

/** The parameters of a call of the Web API. */
export interface Arguments {
  readonly fields: Fields;
  readonly warnings: readonly string[];
}

/** Reads a call's arguments from its query and its body, or returns Slack's error code. */
export function readArguments({
  method,
  path,
  headers,
  body,
}: Request): Arguments | { readonly error: string } {
  const query = parseForm(path.split('?')[1] ?? '') ?? {};
  if (method === 'GET') return { fields: query, warnings: [] };
  if (!body.complete) return { error: 'request_timeout' };
  if (body.bytes.length === 0) return { fields: query, warnings: [] };
  const type = headers['content-type'];
  if (type === undefined) return { error: 'missing_post_type' };
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'iso-8859-1')
    return { error: 'invalid_charset' };
  if (isForm(type)) {
    const form = parseForm(body.bytes.toString());
    return form === undefined
      ? { error: 'invalid_form_data' }
      : { fields: { ...query, ...form }, warnings: [] };
  }
  // Slack accepts other types, too, but JSON should have its own type.
  if (mediaType(type) !== 'application/json') return { error: 'invalid_post_type' };
  const { json, jsonError } = parseJson(body.bytes);
  if (jsonError !== undefined || jsonFault(json) !== undefined) return { error: 'invalid_json' };
  if (!isFields(json)) return { error: 'json_not_object' };
  return { fields: json, warnings: charset === undefined ? ['missing_charset'] : [] };
}

/** A flag in JSON or in forms. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === '1' || value === 1;
}

/** A text, or a number that replaces one in forms and JSON; undefined for other types and for an empty text. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
