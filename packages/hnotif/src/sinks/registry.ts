import type { SinkType } from '../resources/kinds.ts';
import { BOTCHAT } from './botchat/botchat.ts';
import type { SinkDefinition, SinkReading } from './definition.ts';
import type { SinkSettings } from './deps.ts';
import { configWrapping } from './wrapping.ts';
import { remedyOf } from './json-remedy.ts';
import { parseJson } from './json.ts';
import { TEAMCHAT } from './teamchat/teamchat.ts';
import { WEBHOOK } from './webhook/webhook.ts';

/** All types of sinks. For a new one see docs/adding-a-sink.md. */
export const SINKS: Readonly<Record<SinkType, SinkDefinition>> = {
  teamchat: TEAMCHAT,
  botchat: BOTCHAT,
  webhook: WEBHOOK,
};

const YAML = /^\s*(?:---\s*)?[a-z_]+:(?:\s|$)/i;

/** Reads the text of a sink's secret. */
export function readSink(
  type: SinkType,
  configText: string | Uint8Array,
  settings: SinkSettings,
): SinkReading {
  const text = textOf(configText);
  if (text === undefined) return failed('the configuration is not UTF-8 text');
  if (text.trim() === '') return failed('the configuration is empty; it must be a JSON object');
  const json = parseJson(text);
  const wrapping = json.ok && typeof json.value !== 'string' ? undefined : configWrapping(text);
  if (wrapping !== undefined) return failed(`the configuration ${wrapping}`);
  if (!json.ok) {
    const hint = YAML.test(text) ? '; it looks like YAML: write it as a JSON object' : remedyOf(text);
    return failed(`the configuration is not JSON: see line ${json.line}, column ${json.column}${hint}`);
  }
  return SINKS[type].read(json.value, settings);
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
