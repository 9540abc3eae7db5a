import * as z from 'zod';
import type { EventKind } from '../../resources/kinds.ts';
import { entry, folded, isSet, must } from '../config.ts';
import { LONGEST_NIGHT_MS, type NightLimits } from './night.ts';

/** Events that may have a reply of their own on a board. */
const ALERTS = ['Failure', 'Recovery'] as const;

const MINUTE_MS = 60_000;

/** A time in minutes. */
const minutes = (field: string, standard: number, most: number) =>
  z
    .number({ error: must(field, 'a whole number of minutes', 'write it without quotes or leave it out') })
    .refine((count) => Number.isInteger(count) && count >= 1 && count <= most, {
      error: `${field}: must be a whole number of minutes from 1 to ${most}; leave it out for ${standard}`,
    })
    .default(standard);

const alert = entry(
  'alerts',
  ALERTS,
  (value) => ALERTS.find((kind) => folded(kind) === folded(value)) ?? value,
);

/** The fields of a configuration that concern boards. */
export const BOARD_CONFIG = {
  alerts: z
    .array(alert, { error: must('alerts', 'a list', `write ["${ALERTS.join('", "')}"], or leave it out`) })
    .default([...ALERTS]),
  board_quiet: minutes('board_quiet', 15, 240),
  board_max: minutes('board_max', 720, LONGEST_NIGHT_MS / MINUTE_MS),
};

type Fields = { readonly [Field in keyof typeof BOARD_CONFIG]: z.output<(typeof BOARD_CONFIG)[Field]> };

/** How a sink keeps boards. */
export interface BoardSettings {
  /** Events with a reply of their own. */
  readonly alerts: ReadonlySet<EventKind>;
  readonly limits: NightLimits;
}

export const boardSettings = ({ alerts, board_quiet: quiet, board_max: most }: Fields): BoardSettings => ({
  alerts: new Set(alerts),
  limits: { quietMs: quiet * MINUTE_MS, maxMs: most * MINUTE_MS },
});

/** Notes on fields of `json` that have no effect in another mode. */
export function idleBoardFields(json: unknown): string[] {
  const idle = Object.keys(BOARD_CONFIG).filter((field) => isSet(json, field));
  if (idle.length === 0) return [];
  return [`${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect unless delivery_mode is board`];
}
