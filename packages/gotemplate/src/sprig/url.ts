import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { contextual, type FuncMap } from '../value/func.ts';
import { type GoMap, type Value, bare, dict, typeOf } from '../value/value.ts';
import { fromBinary, toBinary } from '../value/binary.ts';
import { paid, pay } from './text/paid.ts';
import { formatUrl, formatUser, hostname, parseUrl, type Url } from './url/url.ts';

const BY_CHARACTER = { steps: 8, bytes: 32 };

function parse(text: string, what: string): Url {
  try {
    return parseUrl(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`unable to parse ${what}: ${error.message}`);
  }
}

function urlParse(text: string): GoMap {
  const url = parse(toBinary(text), 'url');
  const { scheme, host, path, query, opaque, fragment, user } = url;
  const userinfo = user === undefined ? '' : formatUser(user);
  const parts = { scheme, host, hostname: hostname(url), path, query, opaque, fragment, userinfo };
  return dict(Object.entries(parts).map(([key, part]) => [key, fromBinary(part)]));
}

/** The string of a key, or ''. */
function partOf({ entries }: GoMap, key: string): string {
  const value: Value = entries.get(key);
  if (value === undefined) return '';
  if (value === null) throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  const kind = typeOf(value)?.kind;
  const text = bare(value);
  if (kind !== 'string' || typeof text !== 'string')
    throw new GoError(`unable to parse ${key} key, must be of type string, but ${kind} found`);
  return toBinary(text);
}

function urlJoin({ budget }: Context, parts: GoMap): string {
  const url = {
    scheme: partOf(parts, 'scheme'),
    host: partOf(parts, 'host'),
    path: partOf(parts, 'path'),
    query: partOf(parts, 'query'),
    opaque: partOf(parts, 'opaque'),
    fragment: partOf(parts, 'fragment'),
  };
  const userinfo = partOf(parts, 'userinfo');
  for (const part of [...Object.values(url), userinfo]) {
    pay(budget, part, BY_CHARACTER);
  }
  const user = userinfo === '' ? undefined : parse(`proto://${userinfo}@host`, 'userinfo in dict').user;
  return fromBinary(formatUrl({ ...url, user }));
}

export const url: FuncMap = {
  urlParse: paid('func(string) map[string]any', urlParse, BY_CHARACTER),
  urlJoin: contextual('func(map[string]any) string', urlJoin),
};
