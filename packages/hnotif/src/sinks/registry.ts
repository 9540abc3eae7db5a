import type { SinkType } from '../resources/kinds.ts';
import { BOTCHAT } from './botchat/botchat.ts';
import type { SecretFiles, SinkDefinition, SinkReading } from './definition.ts';
import type { SinkSettings } from './deps.ts';
import { configWrapping } from './wrapping.ts';
import { remedyOf } from './json-remedy.ts';
import { parseJson, twinFieldIn } from './json.ts';
import { TEAMCHAT } from './teamchat/teamchat.ts';
import { WEBHOOK } from './webhook/webhook.ts';

/** All types of sinks. For a new one see docs/adding-a-sink.md. */
export const SINKS: Readonly<Record<SinkType, SinkDefinition>> = {
  teamchat: TEAMCHAT,
  botchat: BOTCHAT,
  webhook: WEBHOOK,
};

/** The keys of a sink's secret that are read beside its configuration. */
export const filesOf = (type: SinkType): readonly string[] => SINKS[type].files ?? [];

/** Reads the text of a sink's secret. `files`: the other keys, of `filesOf`. */
export function readSink(
  type: SinkType,
  configText: string | Uint8Array,
  settings: SinkSettings,
  files: SecretFiles = {},
): SinkReading {
  const text = textOf(configText);
  if (text === undefined) return failed('the configuration is not UTF-8 text');
  if (text.trim() === '') return failed('the configuration is empty; it must be a JSON object');
  const json = parseJson(text);
  const wrapping = json.ok && typeof json.value !== 'string' ? undefined : configWrapping(text);
  if (wrapping !== undefined) return failed(`the configuration ${wrapping}`);
  if (!json.ok) {
    const field = firstYamlField(text);
    const hint =
      field === undefined
        ? remedyOf(text)
        : `; it looks like YAML: write it as {"${field}": …}, or convert it with yq -o=json`;
    return failed(`the configuration is not JSON: see line ${json.line}, column ${json.column}${hint}`);
  }
  const reading = SINKS[type].read(json.value, settings, files);
  const twin = twinFieldIn(text);
  if (twin === undefined) return reading;
  const told = `field ${twin} is there twice, and the last one counts; remove one of them`;
  return reading.ok
    ? { ...reading, notes: [...reading.notes, told] }
    : { ...reading, problems: [...reading.problems, told] };
}

/** The name before the first colon of a YAML mapping; undefined: the text does not begin with one. */
function firstYamlField(text: string): string | undefined {
  const line = text.split(/[\r\n]+/).find((each) => !/^\s*(?:#|---\s*$|$)/.test(each));
  return /^\s*(["']?)([a-z][a-z_-]{0,39})\1:(?:\s|$)/i.exec(line ?? '')?.[2];
}

const failed = (problem: string): SinkReading => ({ ok: false, problems: [problem] });

/** Undefined: the bytes are not UTF-8. A byte order mark is removed. */
function textOf(config: string | Uint8Array): string | undefined {
  if (typeof config === 'string') return config.replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(config);
  } catch {
    return undefined;
  }
}
