import type { Clock } from '../clock.ts';
import type { TemplateRunner } from '../render/template.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Poster } from '../requests/poster.ts';
import type { RateLimits } from './rate.ts';
import type { Threads } from './teamchat/thread/threads.ts';

/** Shared by all sinks. */
export interface SinkDeps {
  readonly transport: Poster;
  readonly clock: Clock;
  /** hnotif's version, for `User-Agent`. */
  readonly version: string;
  /** Base address of teamchat's Web API, without a slash at the end. */
  readonly chatApiUrl: string;
  /** Base address of botchat's Bot API, without a slash at the end. */
  readonly botApiUrl: string;
  readonly templates: TemplateRunner;
  readonly rateLimits: RateLimits;
  readonly threads: Threads;
}

export interface SinkSettings extends SinkDeps {
  readonly address: SinkAddress;
}
