import type { Team } from '../../../team.ts';
import type { Attack, Means } from '../beside.ts';
import { inParallel, pause } from '../../../wait.ts';
import type { TargetChange } from '@hnotif/core/lifecycle';
import { startTeamchatReceiver } from '@hnotif/receivers';
import { PLENTY } from '../../../objects.ts';

/** The most sinks that a notification may have. */
export const MOST_SINKS = 32;

/** The discard port of this machine, where nothing listens: connections are refused. */
export const DEAD_URL = 'http://127.0.0.1:9/hook';

/** Notifications with the same sinks, which all use one secret. */
export async function manySinks(
  team: Team,
  options: {
    readonly notifications: number;
    readonly sinks?: number;
    readonly secret: string;
    readonly onEvents?: readonly string[];
    readonly template?: string;
  },
): Promise<void> {
  const { notifications, sinks = MOST_SINKS, secret, onEvents, template } = options;
  const templateRef = template === undefined ? undefined : { name: template };
  const names = Array.from({ length: sinks }, (_, index) => `s${index}`);
  const made = Array.from({ length: notifications }, (_, index) =>
    team.notification(`n${index}`, {
      ...(onEvents && { onEvents }),
      sinks: names.map((name) => ({ name, secret, ...(templateRef && { templateRef }) })),
    }),
  );
  await Promise.all(made);
}

/** Each error makes a Failure at once. A Failure is dropped last. */
const NO_RETRIES = { behavior: { retries: 0 } };
const LONG = 'no capacity '.repeat(341);

/** Row 1: messages for one dead address fill the backlog. */
export const BACKLOG: Attack = {
  row: '1',
  title: 'one dead URL, 10 notifications × 32 sinks, 6 plans, night after night with 4 kB errors',
  async prepare({ attacker }) {
    await attacker.secret('dead', { url: DEAD_URL });
    await manySinks(attacker, { notifications: 10, secret: 'dead' });
    await inParallel(6, (index) => attacker.plan(`p${index}`, ['db'], { spec: NO_RETRIES }));
  },
  async attack({ attacker }, signal) {
    await inParallel(6, async (index) => {
      for (let night = 0; !signal.aborted; night++) {
        await attacker.begins(`p${index}`, { cycle: `c${night}` });
        await attacker.fails(`p${index}`, LONG);
      }
    });
  },
};

const PACE_MS = 2_500;
const STATES: readonly TargetChange['state'][] = ['Running', 'Completed', 'Pending'];

/** A plan with very many targets, which all change with each write, and very many sinks for these events. */
function fanOut(options: Pick<Attack, 'row' | 'aims'> & { targets: number; notifications: number }): Attack {
  const { row, aims, targets: count, notifications } = options;
  const targets = Array.from({ length: count }, (_, index) => `t${index}`);
  return {
    ...{ row, ...(aims && { aims }) },
    title: `a plan of ${count} targets × ${notifications * 32} sinks, a status write every ${PACE_MS / 1000} s`,
    async prepare({ attacker }) {
      await attacker.plan('large', targets);
    },
    // A plan of this size also slows the embedded control plane, which has one thread.
    async meanwhile({ attacker }, signal) {
      await attacker.begins('large', { targets });
      for (let writes = 0; !signal.aborted; writes++) {
        const state = STATES[writes % STATES.length] ?? 'Running';
        const changes = targets.map((target): TargetChange => ({ target, state }));
        await attacker.sees('large', ...changes);
        await pause(PACE_MS, signal);
      }
    },
    async begin({ attacker }) {
      await attacker.secret('dead', { url: DEAD_URL });
      await manySinks(attacker, { notifications, secret: 'dead' });
    },
  };
}

/** Row 2. */
export const FAN_OUT = fanOut({ row: '2', targets: 3_000, notifications: 5 });

/** Row 2b: the largest plan for which a memory limit is guaranteed. */
export const LARGEST_FAN_OUT = fanOut({
  ...{ row: '2b', targets: 5_000, notifications: 12 },
  aims: { 'memory (MiB)': 300, 'stall (ms)': 50 },
});

/** Row 10: a path that never answers uses all requests in flight to its origin. */
export const SHARED_ORIGIN: Attack = {
  row: '10',
  title: 'a hanging path on an origin that the other uses, 32 sinks, 20 plans',
  async prepare({ attacker, victim }) {
    await attacker.secret('hanging', { url: `http://127.0.0.1:${victim.receiver.port}/hang` });
    await manySinks(attacker, { notifications: 1, secret: 'hanging' });
    await inParallel(20, (index) => attacker.plan(`p${index}`));
  },
  async attack({ attacker }) {
    await inParallel(20, (index) => attacker.begins(`p${index}`));
  },
};

const CHANNEL = 'C0BOARDS';
const TOKEN = 'xoxb-000000000000-neighbour';

/** A chat that takes updates as Slack does. */
async function chat(): Promise<Means> {
  const receiver = await startTeamchatReceiver({
    ...{ channels: [{ id: CHANNEL }], tokens: { [TOKEN]: {} }, keep: 10 },
    rates: { callsPerMinute: { 'chat.update': 50 } },
  });
  return { flags: [`--chat-api-url=${receiver.apiUrl}`], undo: () => void receiver.close() };
}

/** Row 11: so many boards of one token that their events wait for updates all the time. */
export const BOARDS: Attack = {
  row: '11',
  title: '32 boards of one token, 60 plans whose events wait for their updates',
  means: chat,
  async prepare({ attacker }) {
    const names = Array.from({ length: MOST_SINKS }, (_, index) => `b${index}`);
    const config = {
      ...{ delivery_mode: 'board', bot_token: TOKEN, channel_id: CHANNEL },
      rate_limit: PLENTY,
    };
    await attacker.secret('boards', config);
    await attacker.notification('boards', {
      sinks: names.map((name) => ({ name, type: 'teamchat', secret: 'boards' })),
    });
    await inParallel(60, (index) => attacker.plan(`p${index}`));
  },
  async begin({ attacker }) {
    await inParallel(60, (index) => attacker.begins(`p${index}`));
  },
};
