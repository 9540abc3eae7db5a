import { emptyOutput, type OutputRules, type SinkDefinition, sinkOf } from '../definition.ts';
import type { SinkSettings } from '../deps.ts';
import type { ReadySink } from '../sink.ts';
import { parseBlocks } from './blocks.ts';
import { channelSink } from './channel.ts';
import { readTeamchatConfig } from './config.ts';
import { threadSink } from './thread/thread.ts';
import type { TeamchatConfig } from './types.ts';

/** A Slack channel. */
export const TEAMCHAT: SinkDefinition = {
  read: (json, settings) =>
    sinkOf(
      readTeamchatConfig(json, (url) => settings.transport.problem(url)),
      (config) => teamchatSink(config, settings),
    ),
  dropsRepeats: false,
  isRateLimited: true,
  showsLinks: true,
  outputProblem,
};

function outputProblem(output: string, { format }: OutputRules): string | undefined {
  const empty = emptyOutput(output);
  if (empty !== undefined) return empty;
  if ((format ?? (/^\s*[[{]/.test(output) ? 'json' : 'text')) === 'text') return undefined;
  const reading = parseBlocks(output, 'notice');
  return reading.ok
    ? undefined
    : `the output is not blocks that Slack takes: ${reading.problem}; the preset layout would be sent`;
}

/** By an incoming webhook or, with threads, by a bot's token: `delivery_mode` says which. */
export function teamchatSink(config: TeamchatConfig, settings: SinkSettings): ReadySink {
  const { mode } = config;
  return mode.kind === 'channel'
    ? channelSink({ ...config, mode }, settings)
    : threadSink({ ...config, mode }, settings);
}
