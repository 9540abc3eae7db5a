import type { ShownNotification } from './tenant.ts';

/** The conditions of notifications. Each different text comes once, with the number of notifications that have it. */
export function conditionsOf(notifications: readonly ShownNotification[]): string {
  const counts = new Map<string, number>();
  for (const { status } of notifications) {
    const all = (status?.conditions ?? [])
      .filter(({ type }) => type === 'Ready' || type === 'Durable')
      .map(({ type, status, reason }) => `${type}=${status} ${reason}`);
    const text = all.length === 0 ? 'no condition' : all.join(', ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return 'no notification';
  return [...counts]
    .map(([text, count]) => (notifications.length === 1 ? text : `${count} × ${text}`))
    .join('; ');
}
