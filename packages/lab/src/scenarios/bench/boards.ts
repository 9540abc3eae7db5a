/**
 * A night of 1,000 plans in 20 namespaces. Each namespace has a channel with a message for each event, and a board. Counts the requests of
 * both in one run. The boards are in a simulator with Slack's limits, all with one token; the channels take everything. hnotif has its
 * default flags and the default rate limit of boards.
 */
import { startTeamchatReceiver, type TeamchatRecord } from '@hnotif/receivers';
import { countsOf } from '../../figures.ts';
import { ALL } from '../../objects.ts';
import { STEPS } from '../../scale/night.ts';
import type { ScaleSink } from '../../scale/sinks.ts';
import { until } from '../../wait.ts';
import { channel } from './kinds.ts';
import type { Bench } from './sheet.ts';
import { onStage, quiet } from './stage.ts';

const SCALE = { plans: 1_000, namespaces: 20, cycles: 0, targets: 2 };
const START_MS = 2_000;
/** Each further write is made for all plans within this time. */
const STEP_MS = 20_000;
const PAUSE_MS = 1_500;
const LIMIT_MS = 180_000;

const TOKEN = 'xoxb-000000000000-bench';
/** https://docs.slack.dev/apis/web-api/rate-limits */
const RATES = {
  ...{ messagesPerSecond: 1, burst: 5 },
  callsPerMinute: { 'chat.update': 50, 'conversations.history': 50 },
};

/** A message for each event in a channel, and a board, of all plans of the namespace. */
const CHATS = (origin: string): readonly ScaleSink[] => [
  { name: 'channel', type: 'teamchat', onEvents: ALL, config: channel(origin) },
  {
    ...{ name: 'board', type: 'teamchat', onEvents: ALL },
    config: { delivery_mode: 'board', bot_token: TOKEN, channel_id: 'C0BOARDNUMBER', format: 'json' },
  },
];

export const boards: Bench = {
  question: 'a night of 1,000 plans: requests of boards beside a message for each event (3 minutes)',
  aims: { 'requests of boards (%)': 2, 'the last Start on its board (s)': 10 },
  async measure(note, node) {
    const channels = Array.from({ length: SCALE.namespaces }, (_, index) => ({
      id: `C0BOARD${String(index).padStart(3, '0')}`,
    }));
    const slack = await startTeamchatReceiver({ channels, rates: RATES, tokens: { [TOKEN]: {} }, keep: 10 });
    /** What each board says last: how many plans are asleep, of how many. */
    const said = new Map<string, { readonly asleep: number; readonly total: number }>();
    const calls: string[] = [];
    slack.onRecord(({ call, params, answered }: TeamchatRecord) => {
      calls.push(`${call}${answered.accepted ? '' : ', not accepted'}`);
      const { channel, text } = params as { readonly channel?: unknown; readonly text?: unknown };
      const [, asleep, total] = / (\d+) of (\d+) asleep/.exec(String(text)) ?? [];
      if (answered.accepted && total !== undefined)
        said.set(String(channel), { asleep: Number(asleep), total: Number(total) });
    });
    /** Resolves with the time until all boards together say so (seconds). */
    const shown = async (what: 'asleep' | 'total', since: number): Promise<number> => {
      const isShown = (): boolean =>
        [...said.values()].reduce((all, each) => all + each[what], 0) >= SCALE.plans;
      await until(isShown, { what: `the sum of all plans on boards, ${what},`, limitMs: LIMIT_MS });
      return (performance.now() - since) / 1_000;
    };
    const flags = [`--chat-api-url=${slack.apiUrl}`];
    const options = { scale: SCALE, sinks: CHATS, pauseMs: PAUSE_MS, flags, node };
    await onStage(options, async ({ plane, hnotif, receiver }) => {
      const { cpuMs } = await hnotif.busy();
      const [first, ...others] = STEPS;
      const begun = performance.now();
      await plane.play({ step: first, round: 0, overMs: START_MS });
      const start = await shown('total', begun + START_MS);
      for (const step of others) await plane.play({ step, round: 0, overMs: STEP_MS });
      const end = await shown('asleep', performance.now());
      await quiet(plane, PAUSE_MS);
      note(`${SCALE.plans} plans in ${SCALE.namespaces} namespaces`, {
        'duration of the night (s)': (performance.now() - begun) / 1_000,
        'CPU (s)': ((await hnotif.busy()).cpuMs - cpuMs) / 1_000,
        'requests with a message for each event': receiver.chats,
        'requests of boards': calls.length,
        'requests of boards (%)': (100 * calls.length) / receiver.chats,
        ...Object.fromEntries(countsOf(calls)),
        'the last Start on its board (s)': start,
        'the last end on its board (s)': end,
      });
    });
    await slack.close();
  },
};
