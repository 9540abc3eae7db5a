import type { SinkType } from '../resources/kinds.ts';
import { parseJson } from './json.ts';
import type { ReadySink } from './sink.ts';
import { readWebhookConfig } from './webhook/config.ts';
import { webhookSink } from './webhook/deliver.ts';
import type { SinkDeps } from './webhook/deliver.ts';

export type { SinkDeps };

export type SinkReading =
  /** `notes` are for the condition's message: what was accepted and has no effect. */
  | { readonly ok: true; readonly sink: ReadySink; readonly notes: readonly string[] }
  /** One text for each fault: the field, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Whether this version has a sink of the type. */
export const isServed = (type: SinkType): boolean => type === 'webhook';

/** From the text of a sink's secret to a sink that can send. */
export function readSink(type: SinkType, configText: string | Uint8Array, deps: SinkDeps): SinkReading {
  if (!isServed(type)) return failed(`sink type ${type} is not served by this version`);
  const text = textOf(configText);
  if (text === undefined) return failed('the configuration is not UTF-8 text');
  if (text.trim() === '') return failed('the configuration is empty; it must be a JSON object');
  const json = parseJson(text);
  if (!json.ok) return failed(`the configuration is not JSON: see line ${json.line}, column ${json.column}`);
  const reading = readWebhookConfig(json.value, (url) => deps.transport.problem(url));
  return reading.ok ? { ok: true, sink: webhookSink(reading.config, deps), notes: reading.notes } : reading;
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
