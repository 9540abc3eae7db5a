import { describeRequest, type RequestRecord } from '../record.ts';
import type { SignatureStatus } from './signature.ts';

/** The findings of a webhook endpoint about a request. */
export interface WebhookFindings {
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** Why the body is not JSON; undefined if it is. */
  readonly jsonError: string | undefined;
  readonly signature: SignatureStatus;
  /** Why the signature is invalid; `''` otherwise. */
  readonly signatureReason: string;
  /** Empty if the body satisfies the schema, or without a schema. */
  readonly schemaErrors: readonly string[];
}

/** One request at a webhook endpoint. */
export interface WebhookRecord extends RequestRecord, WebhookFindings {}

/** One line about a record, for people who look for an error. */
export function describeRecord(record: WebhookRecord): string {
  const parts = [describeRequest(record)];
  if (record.jsonError !== undefined) parts.push(`not JSON: ${record.jsonError}`);
  if (record.signature === 'invalid') parts.push(`signature: ${record.signatureReason}`);
  if (record.schemaErrors.length > 0) parts.push(`schema: ${record.schemaErrors.join('; ')}`);
  return parts.join(', ');
}
