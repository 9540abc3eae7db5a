import { describeRequest, type RequestRecord } from '../record.ts';
import type { MsteamsMessage } from './message.ts';

/** The findings of a workflow about a request. */
export interface MsteamsFindings {
  /** What the workflow posted; undefined: nothing. */
  readonly message: MsteamsMessage | undefined;
  /** The code of the answer for a request that did not start the workflow; undefined: it was started. */
  readonly error: string | undefined;
  /** Why the workflow failed after it was started, which its caller does not learn; undefined: it did not fail. */
  readonly failure: string | undefined;
}

/** One request at a workflow. */
export interface MsteamsRecord extends RequestRecord, MsteamsFindings {}

/** One line about a record, for people who look for an error. */
export function describeMsteamsRecord(record: MsteamsRecord): string {
  const { error, failure } = record;
  return [describeRequest(record), error, failure && `the run failed: ${failure}`]
    .filter((part) => part !== undefined)
    .join(', ');
}
