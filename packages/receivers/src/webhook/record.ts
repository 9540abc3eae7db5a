import { describeRequest, type RequestRecord } from '../record.ts';
import type { SignatureStatus } from './signature.ts';

/** What a webhook endpoint finds out about a request. */
export interface WebhookFindings {
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
  /** Why the body is not JSON; undefined where it is. */
  readonly jsonError: string | undefined;
  readonly signature: SignatureStatus;
  /** Why the signature is invalid; `''` otherwise. */
  readonly signatureReason: string;
  /** Empty when the body satisfies the schema, or there is none. */
  readonly schemaErrors: readonly string[];
}

/** One request at a webhook endpoint. */
export interface WebhookRecord extends RequestRecord, WebhookFindings {}

/** One line about a record, for a human who looks for what went wrong. */
export function describeRecord(record: WebhookRecord): string {
  const parts = [describeRequest(record)];
  if (record.jsonError !== undefined) parts.push(`not JSON: ${record.jsonError}`);
  if (record.signature === 'invalid') parts.push(`signature: ${record.signatureReason}`);
  if (record.schemaErrors.length > 0) parts.push(`schema: ${record.schemaErrors.join('; ')}`);
  return parts.join(', ');
}
