import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Dice } from '../../dice.ts';
import { ClockFile } from '../../clock-file.ts';
import { HANGS_MS, until } from '../../wait.ts';
import { dropIn, timeoutIn } from '../../log-lines.ts';
import type { Kube } from '../../kube.ts';
import type { Exit, Process } from '../../process.ts';
import type { Drop, Timeout } from '../../record.ts';
import type { World } from '../../world.ts';

const HOUR_MS = 3_600_000;
/** How far wall clocks are ahead of the true time. */
const TURNS_MS = [0, 0, HOUR_MS, -HOUR_MS, 2 * HOUR_MS, -5 * 60_000, 25 * HOUR_MS];
/** The last writes of a dead process arrive within this time: the control plane delays them, too (milliseconds). */
const WRITES_MS = 600;
/** The share of killed leaders whose Lease has to expire. */
const EXPIRES = 0.05;

export interface ReplicasOptions {
  readonly world: World;
  /** The duration of the Lease (milliseconds). */
  readonly leaseMs: number;
  readonly folder: string;
  readonly dice: Dice;
  /** Whether a second process stands by. */
  readonly replicas: boolean;
  /** Whether each process has its own wall clock. */
  readonly clocks: boolean;
  /** Called when a process has taken over. */
  readonly served: () => void;
}

/** The end of a leader: killed, paused, or ended by itself. */
interface End {
  readonly at: number;
  /** When the next process served. */
  servedAt: number | null;
  readonly fell: boolean;
  /** When a paused process continued. */
  resumedAt?: number;
  readonly term: number | undefined;
  readonly startMs: number;
}

interface Member {
  readonly process: Process;
  readonly clock: ClockFile | undefined;
  servedAt?: number;
  /** Whether it was killed, paused, or has ended by itself. */
  isGone: boolean;
}

/** The processes of hnotif in a run: a leader and, with replicas, a standby. */
export class Replicas {
  readonly ends: End[] = [];
  readonly faults: string[] = [];
  readonly drops: Drop[] = [];
  readonly timeouts: Timeout[] = [];
  /** Processes that ended by themselves. */
  falls = 0;
  /** How often a leader was paused until another process led. */
  stops = 0;
  readonly #options: ReplicasOptions;
  readonly #members = new Set<Member>();
  #started = 0;
  /** How long the last start of a process took (milliseconds): it shows how slow the machine is. */
  #startMs = 0;
  #isOver = false;

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  /** Starts the missing processes. */
  async fill(): Promise<void> {
    const size = this.#options.replicas ? 2 : 1;
    while (!this.#isOver && this.#alive.length < size) await this.#start();
  }

  /** The process that serves; undefined: there is none. */
  get leader(): Member | undefined {
    return this.#alive.filter(({ servedAt }) => servedAt !== undefined).at(-1);
  }

  /** Resolves when a process serves. */
  serving(): Promise<Member> {
    const what = 'the start of a leader';
    return until(() => this.leader, { what, limitMs: HANGS_MS, everyMs: 20 });
  }

  /** Kills the leader; without a leader, a process that is starting. */
  async kill(): Promise<void> {
    const victim = this.leader ?? this.#alive[0];
    if (victim === undefined) return;
    this.#ended(victim, Date.now(), false);
    await victim.process.end('SIGKILL');
    const { dice, replicas, world } = this.#options;
    const { identity } = victim.process;
    if (identity !== undefined && !dice.hits(EXPIRES)) {
      await setTimeout(WRITES_MS);
      await release(world.kube, identity);
    }
    if (!replicas && dice.hits(0.3)) await setTimeout(dice.below(700));
    await this.fill();
  }

  /** Kills the standby. */
  async killStandby(): Promise<void> {
    const { leader } = this;
    const victim = this.#alive.find((each) => each !== leader);
    if (leader === undefined || victim === undefined) return;
    victim.isGone = true;
    await victim.process.end('SIGKILL');
    await this.fill();
  }

  /** Pauses the leader (SIGSTOP) until another process leads, and a little longer. Then it must end by itself. */
  async stop(): Promise<void> {
    const { dice } = this.#options;
    const victim = await this.serving();
    this.stops++;
    const ended = this.#ended(victim, Date.now(), false);
    victim.process.kill('SIGSTOP');
    await this.serving();
    await setTimeout(dice.below(2_000));
    if (ended !== undefined) ended.resumedAt = Date.now();
    victim.process.kill('SIGCONT');
    const end = await Promise.race([victim.process.exit, setTimeout(HANGS_MS, 'nothing' as const)]);
    if (end !== 1)
      this.faults.push(`a process that was paused and has lost its Lease ended with ${end}, not 1`);
    if (end === 'nothing') await victim.process.end('SIGKILL');
    await this.fill();
  }

  /** Pauses the leader for a moment. It continues to lead. */
  async pause(ms: number): Promise<void> {
    const member = await this.serving();
    member.process.kill('SIGSTOP');
    await setTimeout(ms);
    // `stop` may have paused it for longer meanwhile.
    if (!member.isGone) member.process.kill('SIGCONT');
  }

  /** Changes the wall clock of one process. */
  jump(): void {
    const { dice } = this.#options;
    const member = this.#alive[dice.below(this.#alive.length)];
    member?.clock?.turn(TURNS_MS[dice.below(TURNS_MS.length)] ?? 0);
  }

  /** Ends all processes, the leader last. Resolves with the exit code of the leader. */
  async close(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit | undefined> {
    this.#isOver = true;
    const { leader } = this;
    for (const { process } of this.#alive.filter((each) => each !== leader)) await process.end(signal);
    for (const member of this.#members) member.isGone = true;
    return leader?.process.end(signal);
  }

  get #alive(): Member[] {
    return [...this.#members].filter(({ isGone }) => !isGone);
  }

  async #start(): Promise<void> {
    const { clocks, dice, folder, leaseMs, served, world } = this.#options;
    const name = String(++this.#started);
    const turnedBy = TURNS_MS[dice.below(TURNS_MS.length)] ?? 0;
    const clock = clocks ? await ClockFile.make(folder, name, turnedBy) : undefined;
    const onLine = (line: string): void => {
      this.drops.push(...dropIn(line, Date.now()));
      this.timeouts.push(...timeoutIn(line, Date.now()));
    };
    const process = await world.process(argsOf(leaseMs), {
      ...{ onLine, env: clock?.env ?? {}, logFile: join(folder, 'controller.log') },
    });
    const begun = Date.now();
    void process.started.then((at) => {
      if (at !== undefined) this.#startMs = Date.now() - begun;
    });
    const member: Member = { process, clock, isGone: false };
    this.#members.add(member);
    void process.serving.then((at) => {
      if (at === undefined) return;
      member.servedAt = at;
      for (const end of this.ends) if (end.at <= at) end.servedAt ??= at;
      served();
    });
    void process.exit.then(() => {
      this.#members.delete(member);
      if (member.isGone) return;
      this.falls++;
      this.#ended(member, process.fellAt ?? Date.now(), true);
      void this.fill();
    });
  }

  #ended(member: Member, at: number, fell: boolean): End | undefined {
    member.isGone = true;
    const { leader } = this;
    // A standby has sent nothing.
    if (member.servedAt === undefined && leader !== undefined) return undefined;
    const servedAt = leader?.servedAt ?? null;
    const end: End = { at, servedAt, fell, term: member.process.term, startMs: this.#startMs };
    this.ends.push(end);
    return end;
  }
}

const argsOf = (leaseMs: number): readonly string[] => [
  ...['--kube-api-qps=1000', '--kube-api-burst=1000', '--lease-namespace=default'],
  ...[`--lease-duration=${leaseMs}ms`, `--renew-deadline=${0.8 * leaseMs}ms`, '--retry-period=300ms'],
  // With a clock that is ahead, `--failure-after` would make a Failure. This rule is not checked here.
  // Each request without an answer has its line in the log of this level.
  ...['--failure-after=1000h', '--status-interval=1s', '--log-level=debug'],
];

/** Ends the Lease of a dead process. So the next one need not wait until it expires. */
async function release(kube: Kube, identity: string): Promise<void> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/hnotif';
  const { metadata, spec } = await kube.get(path);
  // Another process may take it first: it has another version then.
  const { resourceVersion } = metadata;
  const free = { metadata: { resourceVersion }, spec: { holderIdentity: '' } };
  if (spec?.holderIdentity === identity) await kube.ask('PATCH', path, free, 'application/merge-patch+json');
}
