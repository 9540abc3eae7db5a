import type { JournalEntry as Entry } from '@hnotif/core/resources';
import type { KubeObject } from './kube.ts';

/** What a journal has of one plan, as it is stored: what is empty is not there. */
export type JournalEntry = Pick<Entry, 'name' | 'gen' | 'waiting' | 'observed'> & Partial<Entry>;

/** A journal as `kubectl get` shows it. */
export interface JournalObject extends KubeObject {
  readonly spec: {
    readonly version: number;
    readonly gen: number;
    readonly writer: { readonly holder: string; readonly term: number };
    readonly summary: {
      readonly plans: number;
      readonly waiting: number;
      readonly oldest?: string;
      readonly for: string;
    };
    /** By the uid of the plan. */
    readonly plans?: Readonly<Record<string, JournalEntry>>;
  };
}

/** How many deliveries wait in these journals. */
export const waitingIn = (journals: readonly KubeObject[]): number =>
  (journals as readonly JournalObject[]).reduce((sum, { spec }) => sum + spec.summary.waiting, 0);
