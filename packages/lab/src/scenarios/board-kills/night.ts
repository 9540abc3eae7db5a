import type { TeamchatMessage, TeamchatReceiver, TeamchatRecord } from '@hnotif/receivers';
import { readBoard, type ShownPlan } from '../../checker/board-text.ts';
import { PLENTY } from '../../objects.ts';
import { ALONE, type Process } from '../../process.ts';
import { until } from '../../wait.ts';
import { World } from '../../world.ts';

/** How far a plan of this night is. */
const rankOf = ({ state }: ShownPlan): number =>
  ({ running: 0, retrying: 1, short: 2, failed: 2, done: 2 })[state];

/** What is wrong with the messages in the channel of a night. `ends`: the last state of each plan. */
function judge(
  messages: readonly Pick<TeamchatMessage, 'text' | 'edits' | 'replies'>[],
  ends: ReadonlyMap<string, ShownPlan['state']>,
): string[] {
  const [board, ...others] = messages;
  if (board === undefined || others.length > 0) return [`${messages.length} boards instead of one`];
  const wrong: string[] = [];
  const shown = new Map<string, ShownPlan>();
  for (const { text } of [...board.edits, board]) {
    const read = readBoard(text);
    if (read === undefined) return [`a text that is no board: ${text}`];
    const now = new Map(read.plans.map((each) => [each.plan, each]));
    for (const [plan, before] of shown) {
      const after = now.get(plan);
      if (after === undefined) wrong.push(`${plan} is missing after it was ${before.state}`);
      else if (rankOf(after) < rankOf(before))
        wrong.push(`${plan} went from ${before.state} to ${after.state}`);
    }
    for (const each of read.plans) shown.set(each.plan, each);
  }
  for (const [plan, state] of ends) {
    const end = shown.get(plan)?.state ?? 'missing';
    if (end !== state) wrong.push(`${plan} is ${end} at the end, not ${state}`);
  }
  if (board.text.includes(' in Progress')) wrong.push('the board does not say that the night is over');
  const isAlert = ({ metadata }: TeamchatMessage): boolean => metadata?.event_type === 'hnotif_event';
  if (!board.replies.some(isAlert)) wrong.push('no reply to the failure');
  if (board.replies.every(isAlert)) wrong.push('no reply at the end');
  return wrong;
}

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

/** A moment at which hnotif is killed. */
export interface Moment {
  /** `write`: the first write of a journal after the nth answer of the chat; 0: of all. */
  readonly kind: 'request' | 'write';
  readonly nth: number;
  /** Whether the request or the write has its effect. hnotif sees no answer. */
  readonly taken: boolean;
}

/** A control plane, a chat, six plans, and hnotif as users start it. */
interface Night {
  readonly world: World;
  readonly chat: TeamchatReceiver;
  readonly messages: () => readonly TeamchatMessage[];
  /** Starts hnotif. Resolves when it serves. */
  readonly start: () => Promise<Process>;
}

/**
 * One night of six plans. hnotif is killed at this moment; the next process is killed at the first such moment of its own. Resolves with
 * the faults of the board.
 */
export async function nightWithKills(moment: Moment): Promise<readonly string[]> {
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
    // A short night may have no such moment.
    const kills = killed(night, first, [moment, { ...moment, nth: Math.min(moment.nth, 1) }]);
    await Promise.race([played(night), kills.then(() => new Promise(() => undefined))]);
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
    await met(night, moment);
    await hnotif.end('SIGKILL');
    night.chat.faults.clear();
    night.world.cluster.faults.clear();
    hnotif = await night.start();
  }
}

/** Resolves when the moment has come. */
async function met({ chat, world: { cluster } }: Night, { kind, nth, taken }: Moment): Promise<void> {
  const from = chat.records.length;
  const come = (isOne: (record: TeamchatRecord) => boolean, count: number): Promise<unknown> =>
    chat.waitFor((records) => records.slice(from).filter(isOne).length >= count);
  if (kind === 'request') {
    chat.faults.add({ match: { nth }, fault: { kind: 'hang', accepted: taken } });
    await come(({ answered }) => answered.fault === 'hang', 1);
    return;
  }
  await come(({ answered }) => answered.status === 200, nth);
  const effect = taken
    ? ({ kind: 'reset', when: 'after' } as const)
    : ({ kind: 'delay', until: new Promise(() => undefined) } as const);
  const { hits } = cluster.faults;
  cluster.faults.add({ ...WRITES, effect, times: 1 });
  const isHit = (): boolean => cluster.faults.hits > hits;
  await until(isHit, { what: 'the write of a journal', limitMs: LIMIT_MS, everyMs: 5 });
}
