/** The time of day on the axis, with seconds where it matters. */
export const clockTime = (at: number, withSeconds = true): string =>
  new Date(at).toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit', hour12: false },
    ...(withSeconds && { second: '2-digit' }),
  });

/** `20:00:03.412` */
export function exactTime(at: number): string {
  return `${clockTime(at)}.${String(Math.floor(at) % 1000).padStart(3, '0')}`;
}

/** `0.04 s`, `3.2 s`, `4 min` */
export function duration(ms: number): string {
  if (ms < 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}
