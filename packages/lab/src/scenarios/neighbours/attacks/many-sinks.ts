import type { Team } from '../../../team.ts';

/** The most sinks that a notification may have. */
export const MOST_SINKS = 32;

/** The discard port of this machine, where nothing listens: connections are refused. */
export const DEAD_URL = 'http://127.0.0.1:9/hook';

/** Notifications with the same sinks, which all use one secret. */
export async function manySinks(
  team: Team,
  options: {
    readonly notifications: number;
    readonly sinks?: number;
    readonly secret: string;
    readonly onEvents?: readonly string[];
    readonly template?: string;
  },
): Promise<void> {
  const { notifications, sinks = MOST_SINKS, secret, onEvents, template } = options;
  const templateRef = template === undefined ? undefined : { name: template };
  const names = Array.from({ length: sinks }, (_, index) => `s${index}`);
  const made = Array.from({ length: notifications }, (_, index) =>
    team.notification(`n${index}`, {
      ...(onEvents && { onEvents }),
      sinks: names.map((name) => ({ name, secret, ...(templateRef && { templateRef }) })),
    }),
  );
  await Promise.all(made);
}
