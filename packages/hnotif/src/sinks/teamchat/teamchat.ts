import type { SinkSettings } from '../deps.ts';
import type { ReadySink } from '../sink.ts';
import { channelSink } from './channel.ts';
import { threadSink } from './thread/thread.ts';
import type { TeamchatConfig } from './types.ts';

/** A team chat that is ready to take messages, in the way that `delivery_mode` says. */
export function teamchatSink(config: TeamchatConfig, settings: SinkSettings): ReadySink {
  const { mode } = config;
  return mode.kind === 'channel'
    ? channelSink({ ...config, mode }, settings)
    : threadSink({ ...config, mode }, settings);
}
