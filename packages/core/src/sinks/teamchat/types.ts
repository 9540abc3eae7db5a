import type { BoardSettings } from '../board/config.ts';
import type { EventKind } from '../../resources/kinds.ts';
import type { Fitted } from '../../render/cut.ts';
import type { Secret } from '../../redaction/secret.ts';

/** Values of `additional_scopes`; `env` is read as `environment`. */
export const SCOPES = [
  'environment',
  'region',
  'project',
  'provider',
  'connector',
  'account',
  'cluster',
] as const;
export type Scope = (typeof SCOPES)[number];

export const LAYOUTS = ['default', 'compact', 'auto'] as const;
export type Layout = (typeof LAYOUTS)[number];

export const TIME_DISPLAYS = ['slack_dynamic', 'fixed', 'utc'] as const;
export type TimeDisplay = (typeof TIME_DISPLAYS)[number];

/** How preset layouts look; the fields and defaults are the contract's. */
export interface PresetOptions {
  readonly layout: Layout;
  /** The most target lines, 1 to 100; 8 by default. */
  readonly maxTargets: number;
  /** Besides account and cluster, which are always there; each once, in the configured order. */
  readonly scopes: readonly Scope[];
  readonly timeDisplay: TimeDisplay;
  /** IANA name. */
  readonly timezone: string;
  /** Go's reference-time layout. */
  readonly timeLayout: string;
}

/** A channel in which a bot posts. */
interface BotChannel {
  readonly botToken: Secret;
  /** An ID, or a name: `#ops`. */
  readonly channelId: string;
  /** Their replies are shown in the channel, too. */
  readonly broadcast: ReadonlySet<EventKind>;
}

/** A teamchat sink's configuration, checked. */
export interface TeamchatConfig extends PresetOptions {
  readonly mode:
    | { readonly kind: 'channel'; readonly webhookUrl: Secret }
    | (BotChannel & { readonly kind: 'thread' })
    | (BotChannel & BoardSettings & { readonly kind: 'board' });
  readonly format: 'text' | 'json';
  readonly rate: { readonly perSecond: number; readonly burst: number };
  readonly coalesceProgress: boolean;
}

/** A Block Kit block. `blocks.ts` checks its content. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** A message for an incoming webhook or the Web API. */
export interface ChatMessage extends ChatExtras {
  /** With blocks: the text of notifications and screen readers. */
  readonly text: Fitted;
  readonly blocks?: readonly Block[];
  /** False: `text` has no emphasis. Entities and `<…>` still count. */
  readonly mrkdwn?: boolean;
}

/** A template's message: with attachments it may have no text. */
export type TemplateMessage = Omit<ChatMessage, 'text'> & Partial<Pick<ChatMessage, 'text'>>;

/** Other fields of a message. https://docs.slack.dev/reference/methods/chat.postMessage#args */
export interface ChatExtras {
  readonly attachments?: readonly unknown[];
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
  readonly link_names?: boolean;
  readonly parse?: string;
  readonly username?: string;
  readonly icon_emoji?: string;
  readonly icon_url?: string;
}
