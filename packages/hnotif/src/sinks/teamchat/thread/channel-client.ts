import type { Source } from '../../../render/context.ts';
import type { PlanView } from '../../../resources/plan-view.ts';
import type { Rate } from '../../rate.ts';
import type { ChatMessage } from '../types.ts';
import type { ChatApi } from './api.ts';
import type { History } from './history.ts';
import type { FallbackLevels } from './fallback-levels.ts';
import type { Root } from './root.ts';

/** A sink's client of the chat. */
export interface ChannelClient {
  readonly api: ChatApi;
  readonly history: History;
  /** The configured channel. */
  readonly channel: string;
  /** The buckets of all requests except updates. */
  readonly rates: readonly Rate[];
  readonly updateRates: readonly Rate[];
  readonly cards: FallbackLevels<(root: Root, plan: PlanView) => ChatMessage>;
  readonly replies: FallbackLevels<(source: Source) => ChatMessage>;
}
