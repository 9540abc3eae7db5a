import type { Limiter } from './limiter.ts';
import type { Tokens } from './tokens.ts';
import type { Workspace } from './workspace.ts';

/** Settings for behaviour that Slack does not document, or that depends on the app. */
export interface Manners {
  /**
   * The most messages that one page of conversations.history and conversations.replies has, and the default of
   * `limit`: 15 for apps outside the Marketplace (the default here), 999 for internal ones.
   * https://docs.slack.dev/reference/methods/conversations.history
   */
  readonly pageSize: number;
  /**
   * The result of a reply whose root does not exist. `unthread` (the default): it is posted in the channel, and the answer has no
   * `thread_ts`, as seen in practice (slack-go/slack#1571). `refuse`: `thread_not_found`.
   */
  readonly lostThreads: 'unthread' | 'refuse';
  /** Whether chat.update with only `text` keeps the blocks, as older documents say. Default false: they are removed. */
  readonly updateKeepsBlocks: boolean;
  /** Seconds in which a message can be changed; later the error is `edit_window_closed`. Default: unlimited. */
  readonly editWindow: number;
}

/** The state that all parts of the chat use. */
export interface Context {
  readonly workspace: Workspace;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  readonly manners: Manners;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: () => number;
}
