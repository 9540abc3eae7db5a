/**
 * A night of 1,000 plans in 20 namespaces. Each namespace has a channel with a message for each event, and a board. Counts the requests of
 * both in one run. The boards are in a simulator with Slack's limits, all with one token; the channels take everything. hnotif has its
 * default flags and the default rate limit of boards.
 */
import { startTeamchatReceiver, type TeamchatRecord } from '@hnotif/receivers';
import { aim, countsOf } from '../../figures.ts';
import { ALL } from '../../objects.ts';
import { STEPS } from '../../scale/night.ts';
import type { ScaleSink } from '../../scale/sinks.ts';
import { until } from '../../wait.ts';
import { channel } from './kinds.ts';
import { onStage, quiet } from './stage.ts';

const SCALE = { plans: 1_000, namespaces: 20, cycles: 0, targets: 2 };
const START_MS = 2_000;
/** Each further write is made for all plans within this time. */
const STEP_MS = 20_000;
const PAUSE_MS = 1_500;
const LIMIT_MS = 180_000;
const AIM_OF_REQUESTS = 0.02;
const AIM_OF_START_MS = 10_000;

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

/** What a board says: how many plans are asleep, of how many. */
interface Said {
  readonly asleep: number;
  readonly total: number;
}

export async function boards(node: readonly string[]): Promise<void> {
  const channels = Array.from({ length: SCALE.namespaces }, (_, index) => ({
    id: `C0BOARD${String(index).padStart(3, '0')}`,
  }));
  const slack = await startTeamchatReceiver({ channels, rates: RATES, tokens: { [TOKEN]: {} }, keep: 10 });
  const said = new Map<string, Said>();
  const calls: string[] = [];
  slack.onRecord(({ call, params, answered }: TeamchatRecord) => {
    calls.push(`${call}${answered.accepted ? '' : ', not accepted'}`);
    const { channel, text } = params as { readonly channel?: unknown; readonly text?: unknown };
    const [, asleep, total] = / (\d+) of (\d+) asleep/.exec(String(text)) ?? [];
    if (answered.accepted && total !== undefined)
      said.set(String(channel), { asleep: Number(asleep), total: Number(total) });
  });
  /** Resolves with the time until all boards together say so (milliseconds). */
  const shown = async (what: keyof Said, since: number): Promise<number> => {
    const isShown = (): boolean =>
      [...said.values()].reduce((all, each) => all + each[what], 0) >= SCALE.plans;
    await until(isShown, { what: `the sum of all plans on boards, ${what},`, limitMs: LIMIT_MS });
    return performance.now() - since;
  };
  const flags = [`--chat-api-url=${slack.apiUrl}`];
  await onStage(
    { scale: SCALE, sinks: CHATS, pauseMs: PAUSE_MS, flags, node, troubled: () => undefined },
    async ({ plane, hnotif, receiver }) => {
      const { cpuMs } = await hnotif.busy();
      const [first, ...others] = STEPS;
      const begun = performance.now();
      await plane.play({ step: first, round: 0, overMs: START_MS });
      const startMs = await shown('total', begun + START_MS);
      for (const step of others) await plane.play({ step, round: 0, overMs: STEP_MS });
      const endMs = await shown('asleep', performance.now());
      await quiet(plane, PAUSE_MS);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      const ratio = calls.length / receiver.chats;
      const kinds = [...countsOf(calls)].map(([name, count]) => `${count} ${name}`).join('; ');
      console.log(
        `${SCALE.plans} plans in ${SCALE.namespaces} namespaces, a night of ${seconds(performance.now() - begun)} s; CPU of hnotif ${seconds((await hnotif.busy()).cpuMs - cpuMs)} s\n` +
          `  a message for each event  ${receiver.chats} requests\n` +
          `  boards                    ${calls.length} requests (${kinds}), ${(100 * ratio).toFixed(2)} %\n` +
          `  the last Start was on its board ${seconds(startMs)} s after its write, the last end ${seconds(endMs)} s\n` +
          `  ${aim('under 2 % of the requests', ratio < AIM_OF_REQUESTS)}; ${aim('the last Start within 10 s', startMs <= AIM_OF_START_MS)}`,
      );
    },
  );
  await slack.close();
}
