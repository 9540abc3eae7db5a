import { ACCEPTED, verdictOf } from '@hnotif/judges';
import { judgeMessage } from '@hnotif/judges/slack';
import {
  emptyOutput,
  type OutputJudgement,
  type OutputRules,
  type SinkDefinition,
  sinkOf,
} from '../definition.ts';
import type { SinkSettings } from '../deps.ts';
import type { ReadySink } from '../sink.ts';
import type { Origin } from '../value-at.ts';
import { parseBlocks } from './blocks.ts';
import { teamchatBoard } from './board/board.ts';
import { channelSink } from './channel.ts';
import { readTeamchatConfig, TEAMCHAT_CONFIG } from './config.ts';
import { LONGEST_TEXT } from './fit.ts';
import { threadSink } from './thread/thread.ts';
import type { TeamchatConfig } from './types.ts';

/** A Slack channel. */
export const TEAMCHAT: SinkDefinition = {
  schema: TEAMCHAT_CONFIG,
  example: '{"webhook_url": "https://hooks.slack.com/…"}',
  receiver: 'Slack',
  read: (json, settings) =>
    sinkOf(
      readTeamchatConfig(json, (url) => settings.transport.problem(url)),
      (config) => teamchatSink(config, settings),
    ),
  dropsRepeats: false,
  isRateLimited: true,
  showsLinks: true,
  judge: judgeMessage,
  knowsRules: true,
  judgeOutput,
  longestText: LONGEST_TEXT,
  preview: { chat: 'teamchat' },
};

/** An object, and neither Jinja nor a brace too many; a list of objects or an empty one: text may begin with `[storefront]`. */
const BEGINS_AS_JSON = /^\s*(?:\{(?![{%#])|\[\s*[{\]])/;

function judgeOutput(output: string, { format }: OutputRules, origin?: Origin): OutputJudgement {
  const isJson = (format ?? (BEGINS_AS_JSON.test(output) ? 'json' : 'text')) === 'json';
  const reading = isJson ? 'json' : 'slack';
  const empty = emptyOutput(output);
  if (empty !== undefined || !isJson) return { problem: empty, verdict: ACCEPTED, reading };
  const blocks = parseBlocks(output.toWellFormed(), 'notice', origin);
  if (blocks.ok) return { verdict: judgeMessage(blocks.message), reading };
  const { problem, faults = [] } = blocks;
  return faults.length > 0
    ? { verdict: verdictOf(faults), reading }
    : {
        problem: `${problem}; the preset layout would be sent`,
        verdict: ACCEPTED,
        reading,
      };
}

/** By an incoming webhook or, with threads, by a bot's token: `delivery_mode` says which. */
export function teamchatSink(config: TeamchatConfig, settings: SinkSettings): ReadySink {
  const { mode } = config;
  switch (mode.kind) {
    case 'channel':
      return channelSink({ ...config, mode }, settings);
    case 'thread':
      return threadSink({ ...config, mode }, settings);
    case 'board':
      return teamchatBoard({ ...config, mode }, settings);
  }
}
