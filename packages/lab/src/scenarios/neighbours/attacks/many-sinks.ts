import type { Tenant } from '../tenant.ts';

/** The most sinks that a notification may have. */
export const MOST_SINKS = 32;

export const ALL = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];

/** The discard port of this machine, where nothing listens: connections are refused. */
export const DEAD_URL = 'http://127.0.0.1:9/hook';

/** Notifications with the same sinks, which all use one secret. */
export async function manySinks(
  tenant: Tenant,
  options: {
    readonly notifications: number;
    readonly sinks?: number;
    readonly secret: string;
    readonly onEvents?: readonly string[];
    readonly template?: string;
  },
): Promise<void> {
  const { notifications, sinks = MOST_SINKS, secret, onEvents = ALL, template } = options;
  const templateRef = template === undefined ? undefined : { name: template };
  const names = Array.from({ length: sinks }, (_, index) => `s${index}`);
  const made = Array.from({ length: notifications }, (_, index) =>
    tenant.notification(`n${index}`, {
      onEvents,
      sinks: names.map((name) => ({ name, secret, ...(templateRef && { templateRef }) })),
    }),
  );
  await Promise.all(made);
}
