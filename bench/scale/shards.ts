import { createHash } from 'node:crypto';

/** What a process takes, as `bench ceiling` measures it. */
export interface Costs {
  /** Processor time of a Start with all of its messages, milliseconds. One process has one event loop. */
  readonly cpuMs: number;
  /** Writes of a Start that the API server takes: the operator's status, and its part of journal writes. */
  readonly writes: number;
  /** How many it takes in a second, from all together: shards do not change that. */
  readonly writesPerSecond: number;
  /** Of a process without plans, and of each plan in a burst. */
  readonly bytes: number;
  readonly bytesOfPlan: number;
}

/** What to expect when all plans begin at once. */
export interface Forecast {
  /** Plans of the fullest shard. */
  readonly plans: number;
  /** Until the last message is sent, seconds, and what that waits for. */
  readonly seconds: number;
  readonly limit: 'CPU' | 'API server';
  /** Memory of the fullest shard, and of all of them. */
  readonly bytes: number;
  readonly bytesOfAll: number;
}

/** The shard of a namespace, by rendezvous hashing: with one shard more, namespaces move to the new one only. */
export function shardOf(namespace: string, shards: number): number {
  const weight = (shard: number): string =>
    createHash('sha256').update(`${shard} ${namespace}`).digest('hex').slice(0, 16);
  let best = 0;
  for (let shard = 1; shard < shards; shard++) if (weight(shard) > weight(best)) best = shard;
  return best;
}

/**
 * Shards by Lease: each has a Lease of its own, and serves the namespaces that hash to it. A namespace is never divided, because its
 * notifications, journals and fair shares belong together. `plans`: how many each namespace has.
 */
export function simulate(plans: ReadonlyMap<string, number>, shards: number, costs: Costs): Forecast {
  const held = Array.from({ length: shards }, () => 0);
  for (const [namespace, count] of plans) {
    const shard = shardOf(namespace, shards);
    held[shard] = (held[shard] ?? 0) + count;
  }
  const fullest = Math.max(...held);
  const byCpu = (fullest * costs.cpuMs) / 1000;
  const all = held.reduce((sum, count) => sum + count, 0);
  const byApiServer = (all * costs.writes) / costs.writesPerSecond;
  const bytesOf = (count: number): number => costs.bytes + count * costs.bytesOfPlan;
  return {
    plans: fullest,
    seconds: Math.max(byCpu, byApiServer),
    limit: byCpu >= byApiServer ? 'CPU' : 'API server',
    bytes: bytesOf(fullest),
    bytesOfAll: held.reduce((sum, count) => sum + bytesOf(count), 0),
  };
}

/** So many plans in so many namespaces. `skew` 0: all have as many; 1: the nth has 1/n of the first (Zipf's law). */
export function spreadOver(plans: number, namespaces: number, skew: number): Map<string, number> {
  const weights = Array.from({ length: namespaces }, (_, at) => 1 / (at + 1) ** skew);
  const sum = weights.reduce((a, b) => a + b, 0);
  const spread = new Map<string, number>();
  let given = 0;
  let weight = 0;
  for (const [at, each] of weights.entries()) {
    weight += each;
    const upTo = at === namespaces - 1 ? plans : Math.round((plans * weight) / sum);
    spread.set(`team-${at}`, upTo - given);
    given = upTo;
  }
  return spread;
}
