/**
 * A night of 1,000 plans in 20 namespaces. Each namespace has a channel with a message for each event, and a board. Counts the requests of
 * both in one run. The boards are in a simulator with Slack's limits, all with one token; the channels take everything. hnotif has its
 * default flags and the default rate limit of boards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startTeamchatReceiver, type TeamchatRecord } from '@hnotif/receivers';
import { aim } from './figures.ts';
import { startCluster } from './burst/cluster.ts';
import { BOARD_TOKEN, boardChannel } from './burst/objects.ts';
import { quiet } from './burst/part.ts';
import { startReceiver } from './burst/receiver.ts';
import { STEPS } from './burst/night.ts';
import { startHnotif } from './scale/process.ts';

const SCALE = { plans: 1_000, namespaces: 20, cycles: 0, targets: 2 };
const START_MS = 2_000;
/** Each further write is made for all plans within this time. */
const STEP_MS = 20_000;
const PAUSE_MS = 1_500;
const POLL_MS = 50;
const LIMIT_MS = 180_000;
const AIM_OF_REQUESTS = 0.02;
const AIM_OF_START_MS = 10_000;

/** What a board says: how many plans are asleep, of how many. */
interface Said {
  readonly asleep: number;
  readonly total: number;
}

const channels = Array.from({ length: SCALE.namespaces }, (_, index) => ({ id: boardChannel(index) }));
/** https://docs.slack.dev/apis/web-api/rate-limits */
const RATES = {
  messagesPerSecond: 1,
  burst: 5,
  callsPerMinute: { 'chat.update': 50, 'conversations.history': 50 },
};
const slack = await startTeamchatReceiver({
  channels,
  rates: RATES,
  tokens: { [BOARD_TOKEN]: {} },
  keep: 10,
});
const said = new Map<string, Said>();
const calls = new Map<string, number>();
slack.onRecord(({ call, params, answered }: TeamchatRecord) => {
  const name = `${call}${answered.accepted ? '' : ', not accepted'}`;
  calls.set(name, (calls.get(name) ?? 0) + 1);
  const { channel, text } = params as { readonly channel?: unknown; readonly text?: unknown };
  const [, asleep, total] = / (\d+) of (\d+) asleep/.exec(String(text)) ?? [];
  if (answered.accepted && total !== undefined)
    said.set(String(channel), { asleep: Number(asleep), total: Number(total) });
});
const sum = (of: (each: Said) => number): number =>
  [...said.values()].reduce((all, each) => all + of(each), 0);

/** Resolves with the time until all boards together say so (milliseconds). */
async function shown(what: string, of: (each: Said) => number, since: number): Promise<number> {
  while (sum(of) < SCALE.plans) {
    if (performance.now() - since > LIMIT_MS)
      throw new Error(`boards showed ${sum(of)} of ${SCALE.plans} plans ${what}`);
    await sleep(POLL_MS);
  }
  return performance.now() - since;
}

const receiver = await startReceiver();
const cluster = await startCluster({ scale: SCALE, origin: receiver.origin, boards: true });
const flags = ['--allow-insecure-http', '--chat-api-url', slack.apiUrl];
const hnotif = await startHnotif(cluster.kubeconfig, { flags, troubled: () => undefined });
try {
  await quiet(cluster, PAUSE_MS);
  const cpu = await hnotif.cpuMs();
  const [first, ...others] = STEPS;
  const begun = performance.now();
  await cluster.play(first, 0, START_MS);
  const startMs = await shown('at all', ({ total }) => total, begun + START_MS);
  for (const step of others) await cluster.play(step, 0, STEP_MS);
  const endMs = await shown('asleep', ({ asleep }) => asleep, performance.now());
  await quiet(cluster, PAUSE_MS);
  const cpuMs = (await hnotif.cpuMs()) - cpu;
  const ofBoards = [...calls.values()].reduce((a, b) => a + b, 0);
  const ratio = ofBoards / receiver.chats;
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  console.log(
    `${SCALE.plans} plans in ${SCALE.namespaces} namespaces, a night of ${seconds(performance.now() - begun)} s; CPU of hnotif ${seconds(cpuMs)} s`,
  );
  console.log(`  a message for each event  ${receiver.chats} requests`);
  console.log(
    `  boards                    ${ofBoards} requests (${[...calls].map(([name, count]) => `${count} ${name}`).join('; ')}), ${(100 * ratio).toFixed(2)} %`,
  );
  console.log(
    `  the last Start was on its board ${seconds(startMs)} s after its write, the last end ${seconds(endMs)} s`,
  );
  console.log(
    `  ${aim('under 2 % of the requests', ratio < AIM_OF_REQUESTS)}; ${aim('the last Start within 10 s', startMs <= AIM_OF_START_MS)}`,
  );
} finally {
  await hnotif.stop();
  await cluster.stop();
  receiver.close();
  await slack.close();
}
