import { InvalidArgumentError } from 'commander';
import { isIP } from 'node:net';
import type { Address } from '../controller/options.ts';
import {
  type ConnectorPolicy,
  EVENT_ID,
  LABEL_VALUE,
  LONGEST_LABEL,
  FOREIGN_GROUPS,
  isApiGroup,
  isDnsLabel,
  isDnsName,
  parseResourceType,
  type ResourceType,
} from '@hnotif/core/resources';
import { networkOf } from './networks.ts';

/** Parsers of flags' values. Each throws commander's error, which names the flag and the value. */

/** A text with the form of a label's value: it needs no escapes in any message. */
export function labelText(text: string): string {
  if (text === '' || text.length > LONGEST_LABEL || !new RegExp(LABEL_VALUE).test(text))
    throw new InvalidArgumentError(
      `Give 1 to ${LONGEST_LABEL} letters, digits, -, _ and ., with a letter or digit first and last.`,
    );
  return text;
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:8080`; an empty host is every interface. */
export function address(text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    throw new InvalidArgumentError(
      'Give HOST:PORT; :8080 listens on every interface, port 0 takes any free one.',
    );
  return { host: match[1] ?? match[2] ?? '', port };
}

export const formatAddress = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The address of an API, without a slash at the end. Other flags decide whether plain HTTP is permitted. */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must begin with https://.');
  const bare = `${url?.protocol}//${url?.host}${url?.pathname}`;
  if (url?.href !== bare)
    throw new InvalidArgumentError(
      'Give an address such as https://api.example.com, without user, query or fragment.',
    );
  return url.href.replace(/\/+$/, '');
}

/** The parts of a list that commas separate. */
const listed = (text: string): string[] => text.split(',').map((part) => part.trim());

/** A list of networks, separated by commas; a repeated flag adds to it. */
export function cidrs(text: string, before: readonly string[] = []): readonly string[] {
  const list = listed(text);
  for (const cidr of list) {
    const [ip = '', prefix = '', ...rest] = cidr.split('/');
    const family = isIP(ip);
    const length = Number(prefix);
    // An address with a zone (fe80::1%eth0) is valid on one machine only.
    const global = family !== 0 && !ip.includes('%');
    const fits = /^\d{1,3}$/.test(prefix) && length <= (family === 4 ? 32 : 128);
    if (!global || !fits || rest.length > 0)
      throw new InvalidArgumentError(
        `${cidr === '' ? 'An entry is empty' : `${/^[\w.:%/-]{1,60}$/.test(cidr) ? `"${cidr}"` : 'An entry'} is not a network`}; give CIDRs such as 10.0.0.0/8 or fd00::/8.`,
      );
  }
  for (const cidr of list)
    if (networkOf(cidr)?.isExact === false)
      throw new InvalidArgumentError(
        `"${cidr}" is an address within a network; give the first address of the network, such as ${networkOf(cidr)?.bounds[0]}, or end it with ${cidr.includes(':') ? '/128' : '/32'}.`,
      );
  return [...before, ...list];
}

/** As many namespaces as one process watches one by one. Each has five watches. */
const MOST_NAMESPACES = 100;

/** A list of namespaces, separated by commas; a repeated flag adds to it. */
export function namespaces(text: string, before: readonly string[] = []): readonly string[] {
  const list = [...before, ...listed(text)];
  if (!list.every(isDnsLabel))
    throw new InvalidArgumentError('Give names of namespaces, separated by commas, such as payments,search.');
  const twice = list.find((name, at) => list.indexOf(name) !== at);
  if (twice !== undefined) throw new InvalidArgumentError(`It names ${twice} twice.`);
  if (list.length > MOST_NAMESPACES)
    throw new InvalidArgumentError(
      `It names ${list.length} namespaces, at most ${MOST_NAMESPACES} are possible: leave the flag out to watch all, or divide them between installations.`,
    );
  return list;
}

/** `all`, `none`, or a list of namespaces, separated by commas. */
export function connectorPolicy(text: string): ConnectorPolicy {
  if (text === 'all' || text === 'none') return text;
  const list = listed(text);
  if (!list.every(isDnsLabel) || list.includes('all') || list.includes('none'))
    throw new InvalidArgumentError(
      'Give all, none, or names of namespaces, separated by commas, such as platform,shared.',
    );
  return list;
}

export function apiGroup(text: string): string {
  if (!isApiGroup(text))
    throw new InvalidArgumentError('Give a DNS name with a dot, such as hibernation.dev.');
  const plans = FOREIGN_GROUPS.get(text);
  if (plans !== undefined)
    throw new InvalidArgumentError(
      `It belongs to an operator that has its own hibernatenotifications, which hnotif's CRD would overwrite. Leave --api-group out, and start hnotif run with --plan-resource=${plans}.`,
    );
  return text;
}

export function planResource(text: string): ResourceType {
  const type = parseResourceType(text);
  if (type === undefined)
    throw new InvalidArgumentError(
      'Give PLURAL.VERSION.GROUP, such as hibernateplans.v1alpha1.hibernation.dev.',
    );
  return type;
}

/** A number above 0. */
export function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

/** A whole number above 0. */
export function count(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('Give a whole number above 0.');
  return number;
}

/** A whole number above 0, up to a bound. */
export const countUpTo =
  (most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > most)
      throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return number;
  };

/** Faster nights would be a loop without a pause. */
const HIGHEST_SPEED = 1_000;

/** How fast time passes in `hnotif dev`. */
export function speed(text: string): number {
  const number = Number(text);
  if (!(number > 0) || number > HIGHEST_SPEED)
    throw new InvalidArgumentError(`Give a number above 0, at most ${HIGHEST_SPEED}.`);
  return number;
}

export function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new InvalidArgumentError('Give a port, 0 to 65535.');
  return number;
}

/** A boolean: `--leader-elect=false`. Commander would read any text as true, also `false`. */
export function yesOrNo(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new InvalidArgumentError('Give true or false.');
}

/** The name of a namespace. */
export function namespace(text: string): string {
  if (!isDnsLabel(text))
    throw new InvalidArgumentError('Give a name of lower case letters, digits and -, at most 63 of them.');
  return text;
}

/** The name of an object. */
export function objectName(text: string): string {
  if (!isDnsName(text))
    throw new InvalidArgumentError(
      'Give a name of lower case letters, digits, - and ., at most 253 of them.',
    );
  return text;
}

/** The id of a message or an event. */
export function eventId(text: string): string {
  if (EVENT_ID.test(text)) return text;
  throw new InvalidArgumentError(
    'Give the id of a message, as its receiver got it, or of an event, as hnotif trace shows it.',
  );
}
