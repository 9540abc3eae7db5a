import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
import { SINKS } from '@hnotif/core/sinks';
import { canary } from './canary.ts';
import type { Configured } from './modes.ts';
import { MODES } from './modes.ts';

/** A text in the place of a sink's configuration, with credentials in it, and what is wrong with it. */
export interface Misconfigured {
  readonly type: SinkType;
  /** `teamchat, thread: bot_token is a list`. */
  readonly name: string;
  readonly text: string;
}

/** The fields of each type of sink, by name. */
export const fieldsOf = (type: SinkType): readonly string[] => Object.keys(SINKS[type].schema.shape);
const ALL_FIELDS: ReadonlySet<string> = new Set(SINK_TYPES.flatMap(fieldsOf));

/** Values of every kind, and texts as they get into wrong fields. */
const WRONG: Readonly<Record<string, (secret: string) => unknown>> = {
  'a text': (secret) => secret,
  'a text on two lines': (secret) => `${secret}\n${secret}`,
  'a long text': (secret) => `${secret}${'x'.repeat(9_000)}`,
  'an address with a password': (secret) => `https://user:${encodeURIComponent(secret)}@example.com/`,
  'an address of another scheme': (secret) => `ftp://example.com/${encodeURIComponent(secret)}`,
  'plain http': (secret) => `http://192.0.2.1/${encodeURIComponent(secret)}?${encodeURIComponent(secret)}`,
  'no address': (secret) => `https:// ${secret}`,
  'a token of a channel': (secret) => `xoxb-${secret}`,
  'a token of an app': (secret) => `xapp-${secret}`,
  'a token of a bot': (secret) => `123456:${secret}`,
  'a token with its prefix': (secret) => `bot123456:${secret}`,
  'a signing secret': (secret) => `whsec_${secret}`,
  'a channel’s name': (secret) => `#${secret}`,
  'an object': (secret) => ({ [secret]: secret, rate: secret, unit: secret, burst: secret }),
  'an object of objects': (secret) => ({ Authorization: { [secret]: [secret] }, rate: { [secret]: 1 } }),
  'an object with one name twice': (secret) => ({ [`X-${secret}`]: secret, 'X-A': secret, 'x-a': secret }),
  'an object with bad texts': (secret) => ({ 'X-A': `${secret}\r\nX-B: ${secret}`, 'X-C': `ü${secret}` }),
  'an object with names that are ours': (secret) => ({
    'Content-Type': secret,
    Host: secret,
    'webhook-id': secret,
  }),
  'a list': (secret) => [secret, secret],
  'a list of objects': (secret) => [{ [secret]: secret }],
  'a list that is too long': (secret) => Array.from({ length: 200 }, () => secret),
  'an empty list': () => [],
  'an empty text': () => '',
  'a number': () => 7,
  'a negative number': () => -1.5,
  'a boolean': () => true,
  null: () => null,
};

/** What happens to JSON on its way into a secret. */
const BROKEN: Readonly<Record<string, (json: string) => string>> = {
  'is a text of its own': (json) => JSON.stringify(json),
  'is in a list': (json) => `[${json}]`,
  'is in quotes': (json) => `'${json}'`,
  'is in base64': (json) => Buffer.from(json).toString('base64'),
  'is YAML': (json) => json.replace(/[{}"]/g, ''),
  'has a comma too much': (json) => json.replace(/\}$/, ',}'),
  'has single quotes': (json) => json.replaceAll('"', "'"),
  'has names without quotes': (json) => json.replace(/"(\w+)":/g, '$1:'),
  'is there twice': (json) => `${json}${json}`,
  'has a line break in a text': (json) => json.replaceAll('zq9k', '\nzq9k'),
  'has a bad escape': (json) => json.replaceAll('zq9k', '\\qzq9k'),
  'is not UTF-8 any more': (json) => json.replaceAll('zq9k', '\ufffdzq9k'),
  'is but its beginning': (json) => json.slice(0, 1),
};

/** Every fault of every field of every way to configure a sink. */
export function misconfigured(port: number): Misconfigured[] {
  return MODES.flatMap((mode, index) => {
    const configured = mode.config(`c9${index}`, port);
    const fields: Readonly<Record<string, unknown>> = { ...configured.config };
    const made = (what: string, text: string): Misconfigured => ({
      type: mode.type,
      name: `${mode.name}: ${what}`,
      text,
    });
    const changed = (what: string, more: object): Misconfigured =>
      made(what, JSON.stringify({ ...fields, ...more }));
    const secret = (field: string): string => canary.token(`${mode.name}${field}`);
    return [
      ...fieldsOf(mode.type).flatMap((field) => [
        changed(`no ${field}`, { [field]: undefined }),
        ...Object.entries(WRONG).map(([kind, of]) =>
          changed(`${field} is ${kind}`, { [field]: of(secret(field)) }),
        ),
      ]),
      // Fields of the other sinks, which exclude each other or are not known.
      ...Array.from(ALL_FIELDS, (field) => changed(`${field} besides`, { [field]: secret(field) })),
      changed('unknown fields', {
        [secret('name')]: 1,
        Authorization: secret('value'),
        [`x${secret('x')}`]: {},
      }),
      ...broken(configured).map(([what, text]) => made(what, text)),
    ];
  });
}

function broken({ config }: Configured): [what: string, text: string][] {
  const json = JSON.stringify(config);
  const cuts = [...json.matchAll(/zq9k/g)].flatMap(({ index }) =>
    [-1, 0, 3, 9, 14].map((more): [string, string] => [
      `cut at ${index + more}`,
      json.slice(0, index + more),
    ]),
  );
  return [
    ...Object.entries(BROKEN).map(([what, of]): [string, string] => [what, of(json)]),
    ...cuts,
    ['a credential alone', canary.token('alone')],
    ['a credential in quotes', JSON.stringify(canary.token('alone'))],
  ];
}
