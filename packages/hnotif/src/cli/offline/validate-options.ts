import type { RecordingOptions } from '@hnotif/core/rehearsal';

export interface ValidateOptions extends RecordingOptions {
  readonly apiGroup: string;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** The kinds whose objects are all given: any other one does not exist. */
  readonly complete: ReadonlySet<string>;
}
