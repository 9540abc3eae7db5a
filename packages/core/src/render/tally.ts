import type { TargetState } from '../lifecycle/event.ts';

/** The number of targets, in all and by state. */
export interface Tally {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly aborted: number;
  readonly running: number;
  readonly pending: number;
}

const COUNTED = ['Completed', 'Failed', 'Aborted', 'Running', 'Pending'] as const;

export function tallyOf(targets: readonly TargetState[]): Tally {
  const counts = new Map<string, number>();
  for (const { state } of targets) counts.set(state, (counts.get(state) ?? 0) + 1);
  const [completed = 0, failed = 0, aborted = 0, running = 0, pending = 0] = COUNTED.map(
    (state) => counts.get(state) ?? 0,
  );
  return { total: targets.length, completed, failed, aborted, running, pending };
}

/** `4/5 completed, 1 failed`; `''` for no targets. */
export function tallyText({ total, completed, failed, aborted, running, pending }: Tally): string {
  if (total === 0) return '';
  const rest = [
    [failed, 'failed'],
    [aborted, 'aborted'],
    [running, 'running'],
    [pending, 'pending'],
  ] as const;
  const others = rest.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [`${completed}/${total} completed`, ...others].join(', ');
}

/** `[████░░░░░░] 4/10 completed, 1 failed, 5 pending`; `''` for no targets. */
export function progressBar(tally: Tally): string {
  const { completed, total } = tally;
  if (total === 0) return '';
  return `${barOf(completed, total)} ${tallyText(tally)}`;
}

/** `[████░░░░░░]` */
export function barOf(completed: number, total: number): string {
  const filled = total === 0 ? 0 : Math.floor((10 * completed) / total);
  return `[${'█'.repeat(filled)}${'░'.repeat(10 - filled)}]`;
}
