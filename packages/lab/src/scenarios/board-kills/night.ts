import type { TeamchatMessage, TeamchatReceiver, TeamchatRecord } from '@hnotif/receivers';
import { PLENTY } from '../../objects.ts';
import { ALONE, type Process } from '../../process.ts';
import { until } from '../../wait.ts';
import { World } from '../../world.ts';
import { judge } from './judge.ts';
import { isTaken, matchOf, type Moment, type RequestName } from './moments.ts';

const CHANNEL = 'C0BOARD';
const TOKEN = 'xoxb-000000000000-kills';
const PLANS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const [FAILED = '', ...GOOD] = PLANS;
const LIMIT_MS = 60_000;
const WRITES = { verb: ['create', 'update', 'patch'], resource: 'hibernatenotificationjournals' } as const;

/** The events happened this long ago, so a night ends some seconds after its last one (milliseconds). */
const AGO_MS = 50_000;
const BOARD = {
  ...{ delivery_mode: 'board', bot_token: TOKEN, channel_id: CHANNEL, board_quiet: 1, rate_limit: PLENTY },
  ...{ time_display: 'utc', time_layout: '2006-01-02T15:04:05Z' },
};

/** A control plane, a chat, six plans, and hnotif as users start it. */
interface Night {
  readonly world: World;
  readonly chat: TeamchatReceiver;
  readonly messages: () => readonly TeamchatMessage[];
  /** Starts hnotif. Resolves when it serves. */
  readonly start: () => Promise<Process>;
}

/** One night of six plans, in which hnotif is killed at these moments. Resolves with what is wrong with the board. */
export async function nightWithKills(moments: readonly Moment[]): Promise<readonly string[]> {
  // All objects are older than the events.
  let isMade = false;
  const now = (): number => Date.now() - (isMade ? 0 : 2 * AGO_MS);
  const world = await World.start({ cluster: { now } });
  try {
    const chat = await world.teamchat({ channels: [{ id: CHANNEL }], tokens: { [TOKEN]: {} } });
    world.now = () => Date.now() - AGO_MS;
    await world.configure('board', BOARD);
    await world.notification('nights', { sinks: [{ name: 'board', type: 'teamchat' }] });
    for (const plan of PLANS) await world.plan(plan, ['db'], { spec: { behavior: { retries: 0 } } });
    isMade = true;
    const start = async (): Promise<Process> => {
      const hnotif = await world.process(ALONE);
      await hnotif.serves();
      return hnotif;
    };
    const night = { world, chat, start, messages: () => chat.channel(CHANNEL).messages };
    const first = await start();
    // A plan that hnotif has not seen at rest has no Start.
    const isKnown = async (): Promise<boolean> => {
      const journals = JSON.stringify(await world.team().list(WRITES.resource));
      return PLANS.every((plan) => journals.includes(plan));
    };
    await until(isKnown, { what: 'the journals of all plans', limitMs: LIMIT_MS });
    await Promise.all([killed(night, first, moments), played(night)]).catch((error: unknown) => {
      throw new Error(
        `${String(error)}; the channel: ${night
          .messages()
          .map(({ text }) => text)
          .join('; ')}`,
      );
    });
    return judge(night.messages(), new Map(PLANS.map((plan) => [plan, plan === FAILED ? 'failed' : 'done'])));
  } finally {
    await world.close();
  }
}

/** The night. It goes on when the board shows what has happened. */
async function played({ world, messages }: Night): Promise<void> {
  const shows = (what: string, isShown: (board: TeamchatMessage) => boolean): Promise<unknown> =>
    until(() => messages().some(isShown), { what: `the board with ${what}`, limitMs: LIMIT_MS });
  const counts = (text: string): Promise<unknown> => shows(text, (board) => board.text.includes(text));
  const team = world.team();
  for (const plan of PLANS) await team.begins(plan);
  await counts('6 running');
  const [first = '', ...others] = GOOD;
  await team.succeeds(first);
  await counts('1 of 6 asleep');
  await team.fails(FAILED, 'no capacity');
  await shows('a reply', ({ replies }) => replies.length > 0);
  for (const plan of others) await team.succeeds(plan);
  await counts('Hibernation of 6 Plans, 1 Failed');
  await shows('its end', ({ replies }) => replies.some(({ metadata }) => metadata === undefined));
}

/** Kills hnotif at these moments, one after the other. */
async function killed(night: Night, first: Process, moments: readonly Moment[]): Promise<void> {
  let hnotif = first;
  for (const moment of moments) {
    const { taken } = moment;
    if ('request' in moment) await requested(night, moment.request, taken);
    else await written(night, moment.writeAfter, taken);
    await hnotif.end('SIGKILL');
    night.chat.faults.clear();
    night.world.cluster.faults.clear();
    hnotif = await night.start();
  }
}

/** Resolves when such a request has come. It gets no answer. */
async function requested({ chat }: Night, request: RequestName, taken: boolean): Promise<void> {
  const from = chat.records.length;
  chat.faults.add({ match: matchOf(request), fault: { kind: 'hang', accepted: taken } });
  const isHanging = ({ answered }: TeamchatRecord): boolean => answered.fault === 'hang';
  await chat.waitFor((records) => records.slice(from).some(isHanging), { timeoutMs: LIMIT_MS });
}

/** Resolves when a journal is written after such a request. It gets no answer. */
async function written(
  { chat, world: { cluster } }: Night,
  after: RequestName | undefined,
  taken: boolean,
): Promise<void> {
  const effect = taken
    ? ({ kind: 'reset', when: 'after' } as const)
    : ({ kind: 'delay', until: new Promise(() => undefined) } as const);
  const { hits } = cluster.faults;
  let isHeld = false;
  const hold = (): void => {
    if (!isHeld) cluster.faults.add({ ...WRITES, effect, times: 1 });
    isHeld = true;
  };
  if (after === undefined) hold();
  else
    chat.onRecord((record) => {
      if (isTaken(after, record)) hold();
    });
  await until(() => cluster.faults.hits > hits, {
    what: 'the write of a journal',
    limitMs: LIMIT_MS,
    everyMs: 5,
  });
}
