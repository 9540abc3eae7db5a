/** One line of a diagnosis. */
export interface Check {
  readonly state: 'ok' | 'warning' | 'failed' | 'note' | 'skipped';
  /** `sink chat`, `hnotif`, `plans` */
  readonly about: string;
  /** What was found and, if it is not ok, what to do. Never a credential. */
  readonly message: string;
}

/** What a check found. */
export type Verdict = Omit<Check, 'about'>;

export const ok = (message: string): Verdict => ({ state: 'ok', message });
export const warning = (message: string): Verdict => ({ state: 'warning', message });
export const failed = (message: string): Verdict => ({ state: 'failed', message });
export const note = (message: string): Verdict => ({ state: 'note', message });
export const skipped = (message: string): Verdict => ({ state: 'skipped', message });
