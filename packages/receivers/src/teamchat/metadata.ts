import { parse } from '@hnotif/judges/slack';
import type { Metadata } from './message.ts';
import { isFields } from '@hnotif/judges/slack';

/** Bytes of JSON. The limit is documented (`metadata_too_large`), but not its value. */
const MOST_BYTES = 8192;

/**
 * Metadata of chat.postMessage and chat.update, an object or its JSON; undefined without any, or Slack's error code.
 * https://docs.slack.dev/messaging/message-metadata
 */
export function readMetadata(value: unknown): Metadata | undefined | { readonly error: string } {
  const given = typeof value === 'string' ? parse(value) : value;
  if (value == null || value === '' || (isFields(given) && Object.keys(given).length === 0)) return undefined;
  if (!isFields(given)) return { error: 'invalid_metadata_format' };
  const { event_type, event_payload, ...others } = given;
  if (typeof event_type !== 'string' || event_type === '' || !isFields(event_payload))
    return { error: 'invalid_metadata_format' };
  if (Object.keys(others).length > 0 || !Object.values(event_payload).every(isPlain))
    return { error: 'invalid_metadata_schema' };
  if (Buffer.byteLength(JSON.stringify(given)) > MOST_BYTES) return { error: 'metadata_too_large' };
  return { event_type, event_payload };
}

/** A payload's value: a text, a number, a flag, a flat object of such, or a list of any of these. */
function isPlain(value: unknown): boolean {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.every((each) => isScalar(each) || (isFields(each) && Object.values(each).every(isScalar)));
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
