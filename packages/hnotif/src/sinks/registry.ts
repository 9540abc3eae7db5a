import type { SinkType } from '../resources/kinds.ts';
import { botchatSink } from './botchat/deliver.ts';
import { readBotchatConfig } from './botchat/config.ts';
import type { ConfigReading } from './config.ts';
import type { SinkSettings } from './deps.ts';
import { wrappingOf } from './disguise.ts';
import { parseJson } from './json.ts';
import type { ReadySink } from './sink.ts';
import { readTeamchatConfig } from './teamchat/config.ts';
import { teamchatSink } from './teamchat/teamchat.ts';
import { readWebhookConfig } from './webhook/config.ts';
import { webhookSink } from './webhook/deliver.ts';

export type SinkReading =
  /** `notes` are for the condition's message: what was accepted and has no effect. */
  | { readonly ok: true; readonly sink: ReadySink; readonly notes: readonly string[] }
  /** One text for each fault: the field, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Begins as a mapping of YAML does. */
const YAML = /^\s*(?:---\s*)?[a-z_]+:(?:\s|$)/i;

/** From the text of a sink's secret to a sink that can send. */
export function readSink(
  type: SinkType,
  configText: string | Uint8Array,
  settings: SinkSettings,
): SinkReading {
  const text = textOf(configText);
  if (text === undefined) return failed('the configuration is not UTF-8 text');
  if (text.trim() === '') return failed('the configuration is empty; it must be a JSON object');
  const json = parseJson(text);
  const wrapping = json.ok && typeof json.value !== 'string' ? undefined : wrappingOf(text);
  if (wrapping !== undefined) return failed(`the configuration ${wrapping}`);
  if (!json.ok) {
    const hint = YAML.test(text) ? '; it looks like YAML: write it as a JSON object' : '';
    return failed(`the configuration is not JSON: see line ${json.line}, column ${json.column}${hint}`);
  }
  const refuses = (url: URL): string | undefined => settings.transport.problem(url);
  switch (type) {
    case 'teamchat':
      return made(readTeamchatConfig(json.value, refuses), teamchatSink, settings);
    case 'botchat':
      return made(readBotchatConfig(json.value), botchatSink, settings);
    case 'webhook':
      return made(readWebhookConfig(json.value, refuses), webhookSink, settings);
  }
}

function made<T>(
  reading: ConfigReading<T>,
  make: (config: T, settings: SinkSettings) => ReadySink,
  settings: SinkSettings,
): SinkReading {
  return reading.ok ? { ok: true, sink: make(reading.config, settings), notes: reading.notes } : reading;
}

const failed = (problem: string): SinkReading => ({ ok: false, problems: [problem] });

/** Undefined when the bytes are not UTF-8. A byte order mark, as some editors write it, is dropped. */
function textOf(config: string | Uint8Array): string | undefined {
  if (typeof config === 'string') return config.replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(config);
  } catch {
    return undefined;
  }
}
