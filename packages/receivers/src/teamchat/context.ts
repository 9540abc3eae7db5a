import type { Limiter } from './limiter.ts';
import type { Tokens } from './tokens.ts';
import type { Workspace } from './workspace.ts';

/** What can be chosen where Slack's documents leave it open, or where it differs from app to app. */
export interface Manners {
  /**
   * The most messages that one page of conversations.history and conversations.replies has, and the default of
   * `limit`: 15 for apps outside the Marketplace (the default here), 999 for internal ones.
   * https://docs.slack.dev/reference/methods/conversations.history
   */
  readonly pageSize: number;
  /**
   * What becomes of a reply whose root is gone. `unthread` (the default): it is posted in the channel, and the answer
   * holds no `thread_ts`, as seen in the field (slack-go/slack#1571). `refuse`: `thread_not_found`.
   */
  readonly lostThreads: 'unthread' | 'refuse';
  /**
   * Whether chat.update with `text` alone leaves the blocks there, as the documents of some years say. Default false:
   * they are removed.
   */
  readonly updateKeepsBlocks: boolean;
  /** Seconds for which a message can be changed, then `edit_window_closed`. Default: for ever. */
  readonly editWindow: number;
}

/** What every part of the chat works on. */
export interface Context {
  readonly workspace: Workspace;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  readonly manners: Manners;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number;
}
