import { daysAgo, shown, timeOfDay, type Clock } from './clock.ts';

/** How each token of a date's format is shown (docs.slack.dev/messaging/formatting-message-text#date-formatting). */
const TOKENS: Readonly<Record<string, (clock: Clock, ms: number) => string>> = {
  date_num: (clock, ms) =>
    shown({ ...clock, locale: 'en-CA' }, ms, { year: 'numeric', month: '2-digit', day: '2-digit' }),
  date_slash: (clock, ms) => shown(clock, ms, { year: 'numeric', month: '2-digit', day: '2-digit' }),
  date: (clock, ms) => shown(clock, ms, { year: 'numeric', month: 'long', day: 'numeric' }),
  date_short: (clock, ms) => shown(clock, ms, { year: 'numeric', month: 'short', day: 'numeric' }),
  date_long: (clock, ms) =>
    shown(clock, ms, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
  date_long_full: (clock, ms) =>
    shown(clock, ms, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
  day_divider: (clock, ms) => shown(clock, ms, { weekday: 'long', month: 'long', day: 'numeric' }),
  time: timeOfDay,
  time_secs: (clock, ms) => shown(clock, ms, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  ago: (clock, ms) => since(clock.now - ms),
};

/** A date token as its reader sees it; unknown tokens stay. */
export function slackDate(format: string, unix: number, clock: Clock): string {
  const ms = unix * 1000;
  return format.replace(/\{([a-z_]+)\}/g, (whole, name: string, at: number) => {
    const pretty = name.endsWith('_pretty');
    const token = pretty ? name.slice(0, -'_pretty'.length) : name;
    const show = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined;
    const day = pretty ? near(clock, ms) : undefined;
    if (day !== undefined) return at === 0 ? day.charAt(0).toUpperCase() + day.slice(1) : day;
    return show?.(clock, ms) ?? whole;
  });
}

function near(clock: Clock, ms: number): string | undefined {
  return { 0: 'today', 1: 'yesterday', [-1]: 'tomorrow' }[daysAgo(clock, ms)];
}

function since(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const span = Math.abs(ms);
  const [unit, length] = units.find(([, each]) => span >= each) ?? ['second', 1000];
  const count = Math.floor(span / length);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return ms < 0 ? `in ${words}` : `${words} ago`;
}
