import { kindOf } from '../resources/kind-of.ts';
import type { SinkType } from '../resources/kinds.ts';
import { TLS_KEYS } from '../requests/tls-files.ts';
import { BOTCHAT } from './botchat/botchat.ts';
import type { SecretFiles, SinkDefinition, SinkReading } from './definition.ts';
import type { SinkSettings } from './deps.ts';
import { configWrapping } from './wrapping.ts';
import { remedyOf } from './json-remedy.ts';
import { parseJson, twinFieldIn } from './json.ts';
import { MSTEAMS } from './msteams/msteams.ts';
import { TEAMCHAT } from './teamchat/teamchat.ts';
import { WEBHOOK } from './webhook/webhook.ts';

/** All types of sinks. For a new one see docs/adding-a-sink.md. */
export const SINKS: Readonly<Record<SinkType, SinkDefinition>> = {
  teamchat: TEAMCHAT,
  botchat: BOTCHAT,
  webhook: WEBHOOK,
  msteams: MSTEAMS,
};

/** The keys of a sink's secret that are read beside its configuration. */
export const filesOf = (type: SinkType): readonly string[] => SINKS[type].files ?? [];

/** Keys as other programs name them. */
const OTHER_NAMES: Readonly<Record<string, (typeof TLS_KEYS)[number]>> = {
  'client.crt': 'tls.crt',
  'client.key': 'tls.key',
  'cert.pem': 'tls.crt',
  'key.pem': 'tls.key',
  'ca.pem': 'ca.crt',
};

/** Reads the text of a sink's secret. `files`: the other keys, of `filesOf`. `keys`: the names of all its keys. */
export function readSink(
  type: SinkType,
  configText: string | Uint8Array,
  settings: SinkSettings,
  files: SecretFiles = {},
  keys: readonly string[] = [],
): SinkReading {
  const { example, read } = SINKS[type];
  const text = textOf(configText);
  if (text === undefined) return failed('the configuration is not UTF-8 text');
  if (text.trim() === '') return failed(`the configuration is empty; write it like ${example}`);
  const json = parseJson(text);
  const wrapping = json.ok && typeof json.value !== 'string' ? undefined : configWrapping(text);
  if (wrapping !== undefined) return failed(`the configuration ${wrapping}`);
  if (!json.ok) {
    const field = firstYamlField(text);
    const hint =
      field === undefined
        ? /^\s*[[{]/.test(text)
          ? remedyOf(text)
          : `; write it like ${example}`
        : `; it looks like YAML: write it as {"${field}": …}, or convert it with yq -o=json`;
    return failed(`the configuration is not JSON: see line ${json.line}, column ${json.column}${hint}`);
  }
  if (kindOf(json.value) !== 'an object')
    return failed(
      `the configuration must be a JSON object, found ${kindOf(json.value)}; write it like ${example}`,
    );
  const reading = read(json.value, settings, files);
  return reading.ok
    ? { ...reading, notes: [...reading.notes, ...twinNotes(text), ...keyNotes(type, keys)] }
    : { ...reading, problems: [...reading.problems, ...twinNotes(text)] };
}

/** A note on a field that a configuration has twice. */
function twinNotes(text: string): readonly string[] {
  const twin = twinFieldIn(text);
  return twin === undefined
    ? []
    : [`field ${twin} is there twice, and the last one counts; remove one of them`];
}

/** Notes on certificates beside a configuration that have no effect. */
function keyNotes(type: SinkType, keys: readonly string[]): readonly string[] {
  if (filesOf(type).length > 0)
    return Object.entries(OTHER_NAMES)
      .filter(([key, name]) => keys.includes(key) && !keys.includes(name))
      .map(([key, name]) => `${key} has no effect: write it under the key ${name}`);
  const idle = TLS_KEYS.filter((key) => keys.includes(key));
  if (idle.length === 0) return [];
  return [
    `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect: a sink of type ${type} has no certificates of its own`,
  ];
}

/** The name before the first colon of a YAML mapping; undefined: the text does not begin with one. */
function firstYamlField(text: string): string | undefined {
  const line = text.split(/[\r\n]+/).find((each) => !/^\s*(?:#|---\s*$|$)/.test(each));
  return /^\s*(["']?)([a-z][a-z_-]{0,39})\1:(?:\s|$)/i.exec(line ?? '')?.[2];
}

const failed = (problem: string): SinkReading => ({ ok: false, problems: [problem] });

/** Undefined: the bytes are not UTF-8. A byte order mark is removed. */
/** The JSON of a configuration, without a byte order mark; undefined: it is not UTF-8. */
export function textOf(config: string | Uint8Array): string | undefined {
  if (typeof config === 'string') return config.replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(config);
  } catch {
    return undefined;
  }
}
