import type { Content } from './check.ts';
import type { Entity } from '@hnotif/judges/slack';

/** Data of an app in a message. https://docs.slack.dev/messaging/message-metadata */
export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

/** A message as its readers see it now. */
export interface TeamchatMessage extends Content {
  /** Its name in the channel: seconds and microseconds, `1767643200.000000`. Later ones are greater as texts. */
  readonly ts: string;
  /** The channel's ID. */
  readonly channel: string;
  /** The bot that posted it. */
  readonly author: string;
  /** The `ts` of the thread's root; undefined for a message in the channel itself. */
  readonly threadTs: string | undefined;
  /** Whether the channel shows the reply, too. Default false. */
  readonly broadcast?: boolean;
  readonly metadata: Metadata | undefined;
  readonly entities: readonly Entity[];
  /** Its earlier texts, oldest first. */
  readonly edits: readonly Content[];
  /** The time of the last edit, as a `ts`; undefined without one. */
  readonly editedTs: string | undefined;
  /** True for a deleted root that still has replies: readers see a placeholder. */
  readonly deleted: boolean;
  /** Its thread, oldest first. */
  readonly replies: readonly TeamchatMessage[];
}
