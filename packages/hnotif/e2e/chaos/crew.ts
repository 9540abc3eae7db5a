import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Dice } from '../storm/dice.ts';
import { ClockFile } from './clock-file.ts';
import { Killable } from './killable.ts';

const HOUR_MS = 3_600_000;
/** How far the wall clocks of processes are from the true time. */
const TURNS_MS = [0, 0, HOUR_MS, -HOUR_MS, 2 * HOUR_MS, -5 * 60_000, 25 * HOUR_MS];
/** A process that was stopped ends within so long when it goes on (milliseconds). */
const LONGEST_END_MS = 60_000;
/** A process leads within so long (milliseconds). */
const LONGEST_START_MS = 120_000;

export interface CrewOptions {
  readonly args: readonly string[];
  readonly folder: string;
  readonly dice: Dice;
  /** A second process stands by. */
  readonly replicas: boolean;
  /** Each has a wall clock of its own. */
  readonly clocks: boolean;
  /** Called when a process has taken over. */
  readonly served: () => void;
}

/** When one that led was killed, stopped or fell. */
interface End {
  readonly at: number;
  /** When the next one served. */
  servedAt: number | null;
  readonly fell: boolean;
}

interface Member {
  readonly process: Killable;
  readonly clock: ClockFile | undefined;
  servedAt?: number;
  /** Killed, stopped, or ended by itself: it counts no more. */
  isGone: boolean;
}

/** The processes of hnotif in a run: one that leads and, where replicas are wanted, one that stands by. */
export class Crew {
  readonly ends: End[] = [];
  readonly faults: string[] = [];
  /** Processes that ended by themselves. */
  falls = 0;
  /** Times that a leader was stopped until another one led. */
  stops = 0;
  jumps = 0;
  readonly #options: CrewOptions;
  readonly #members = new Set<Member>();
  #started = 0;
  #isOver = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Starts as many as there are to be. */
  async fill(): Promise<void> {
    const size = this.#options.replicas ? 2 : 1;
    while (!this.#isOver && this.#alive.length < size) await this.#start();
  }

  /** The one that serves; undefined: none does. */
  get leader(): Member | undefined {
    return this.#alive.filter(({ servedAt }) => servedAt !== undefined).at(-1);
  }

  /** Resolves when one serves. */
  async serving(): Promise<Member> {
    for (const until = Date.now() + LONGEST_START_MS; Date.now() < until;) {
      if (this.leader !== undefined) return this.leader;
      await setTimeout(20);
    }
    throw new Error('no process has served in two minutes');
  }

  /** Kills the leader, or one that only begins. */
  async kill(): Promise<void> {
    const victim = this.leader ?? this.#alive[0];
    if (victim === undefined) return;
    this.#ended(victim, Date.now(), false);
    await victim.process.end('SIGKILL');
    if (this.#options.replicas || !this.#options.dice.hits(0.3)) await this.fill();
    else await setTimeout(this.#options.dice.below(700)).then(() => this.fill());
  }

  /** Kills one that stands by. */
  async killStandby(): Promise<void> {
    const { leader } = this;
    const victim = this.#alive.find((each) => each !== leader);
    if (leader === undefined || victim === undefined) return;
    victim.isGone = true;
    await victim.process.end('SIGKILL');
    await this.fill();
  }

  /** Stops the leader until another one leads, and a little longer; it then has to end by itself. */
  async stop(): Promise<void> {
    const { dice } = this.#options;
    const victim = await this.serving();
    this.stops++;
    this.#ended(victim, Date.now(), false);
    victim.process.signal('SIGSTOP');
    await this.serving();
    await setTimeout(dice.below(2_000));
    victim.process.signal('SIGCONT');
    const end = await Promise.race([victim.process.ended, setTimeout(LONGEST_END_MS, 'nothing' as const)]);
    if (end !== 1)
      this.faults.push(`a process that was stopped and has lost its Lease ended with ${end}, not 1`);
    if (end === 'nothing') await victim.process.end('SIGKILL');
    await this.fill();
  }

  /** Stops the leader for a moment: it goes on to lead. */
  async pause(ms: number): Promise<void> {
    const member = await this.serving();
    member.process.signal('SIGSTOP');
    await setTimeout(ms);
    // It may have been stopped for longer meanwhile.
    if (!member.isGone) member.process.signal('SIGCONT');
  }

  /** Turns the wall clock of one of them. */
  jump(): void {
    const { dice } = this.#options;
    const member = this.#alive[dice.below(this.#alive.length)];
    this.jumps++;
    member?.clock?.turn(TURNS_MS[dice.below(TURNS_MS.length)] ?? 0);
  }

  /** Ends all of them, the leader last; resolves with its exit code. */
  async close(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null | undefined> {
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
    const { args, clocks, dice, folder, served } = this.#options;
    const name = String(++this.#started);
    const turnedBy = TURNS_MS[dice.below(TURNS_MS.length)] ?? 0;
    const clock = clocks ? await ClockFile.make(folder, name, turnedBy) : undefined;
    const process = new Killable(args, join(folder, 'controller.log'), clock && { env: clock.env });
    const member: Member = { process, clock, isGone: false };
    this.#members.add(member);
    void process.serving.then((at) => {
      member.servedAt = at;
      for (const end of this.ends) if (end.at <= at) end.servedAt ??= at;
      served();
    });
    void process.ended.then(() => {
      this.#members.delete(member);
      if (member.isGone) return;
      this.falls++;
      this.#ended(member, process.fellAt ?? Date.now(), true);
      void this.fill();
    });
  }

  #ended(member: Member, at: number, fell: boolean): void {
    member.isGone = true;
    const { leader } = this;
    // One that stood by has sent nothing.
    if (member.servedAt === undefined && leader !== undefined) return;
    this.ends.push({ at, servedAt: leader?.servedAt ?? null, fell });
  }
}
