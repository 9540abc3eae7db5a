import { isExpendable, type LogEntry } from './log-entry.ts';
import type { Stream } from './stream.ts';

/** The target of progress; undefined: another kind of event. */
const targetOf = ({ kind, targetExecution }: LogEntry): string | undefined =>
  kind === 'ExecutionProgress' ? targetExecution?.name : undefined;

/** Whether newer progress of the same target follows in the stream, with only progress and phase changes in between. */
export function isSuperseded(entry: LogEntry, stream: Stream): boolean {
  const { log } = stream;
  const target = targetOf(entry);
  if (target === undefined) return false;
  let later = log.nextOf(stream, entry.at + 1);
  while (later !== undefined && later.at <= log.releasedTo) {
    if (!isExpendable(later) || later.run !== entry.run) return false;
    if (targetOf(later) === target) return true;
    later = log.nextOf(stream, later.at + 1);
  }
  return false;
}

/** The number of superseded events of a stream, without a head that may have arrived. */
export function countSuperseded(stream: Stream): number {
  const { log, head } = stream;
  const newer = new Set<string>();
  let run: number | undefined;
  let count = 0;
  for (const entry of log.waitingOf(stream).reverse()) {
    if (entry.at > log.releasedTo) continue;
    if (!isExpendable(entry) || entry.run !== run) newer.clear();
    run = entry.run;
    const target = targetOf(entry);
    if (target === undefined) continue;
    if (!newer.has(target)) newer.add(target);
    else if (entry !== head?.entry || head.requestCount === 0) count++;
  }
  return count;
}
