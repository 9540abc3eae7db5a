import type { RecordingOptions } from './recording.ts';

export interface ValidateOptions extends RecordingOptions {
  readonly apiGroup: string;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** The kinds whose objects are all given: any other one does not exist. */
  readonly complete: ReadonlySet<string>;
}
