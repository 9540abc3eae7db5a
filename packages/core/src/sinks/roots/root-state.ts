import * as z from 'zod';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { PlanView } from '../../resources/plan-view.ts';
import type { Degradation } from '../degradation.ts';
import type { SavePriority } from '../memory.ts';
import type { FallbackLevels } from './levels.ts';
import type { Card, RootClient } from './root-client.ts';
import type { RootStatus } from './root-status.ts';

/** The message of a root. */
export interface RootLocation {
  /** The configured channel: in another channel it is another root. */
  readonly asked: string;
  /** The chat's name of the channel, for updates and replies. */
  readonly channel: string;
  readonly ts: string;
}

/** The same in a journal. */
export const LOCATION: z.ZodType<RootLocation> = z.object({
  asked: z.string(),
  channel: z.string(),
  ts: z.string(),
});

/** What the chat shows of a root, as far as known. */
export interface RootPlace {
  /** Digest of the state that the chat shows; `''`: not known. */
  readonly sent: string;
  /** Undefined: it is about to be posted, or was posted without an answer. */
  readonly location: RootLocation | undefined;
}

/** What a root needs to send requests, from its newest delivery. */
export interface RootDeps {
  readonly client: RootClient;
  readonly plan: PlanView;
  readonly degraded: (degradation: Degradation) => void;
}

/** Functions that make the forms of a card. Each shows the state of the moment at which they were taken. */
export type Cards = FallbackLevels<() => Card>;

/** A reply of the root's own, not of an event. */
export interface Notice {
  readonly message: Card;
  /** It was posted, or cannot be. */
  readonly posted: () => void;
}

/** What a root message shows: one run of a plan, or the night of many plans. */
export interface RootState {
  /** Equal digests, equal cards. */
  readonly digest: string;
  readonly status: RootStatus;
  /** For messages to users: `the thread of shop/orders`. */
  readonly name: string;
  readonly namespace: string;
  /** The least time between two updates (milliseconds). */
  readonly gapMs: number;
  /** Whether deliveries wait until the chat shows the state. Default: false. */
  readonly isAwaited?: boolean;
  cards(plan: PlanView): Cards;
  /** Adds an event. False: nothing has changed. */
  apply(event: LifecycleEvent): boolean;
  /** The chat shows this status. False: nothing has changed. */
  found(there: RootStatus): boolean;
  /** A reply that is posted when the card shows the present state. Default: none. */
  notice?(plan: PlanView): Notice | undefined;
  /** Must not reject. */
  save(place: RootPlace, priority: SavePriority): void | Promise<void>;
}
