import { BACKLOG, BOARDS, FAN_OUT, LARGEST_FAN_OUT, SHARED_ORIGIN } from './attacks/sinks.ts';
import { FOREIGN_PLANS, FOREIGN_TERM, INFLATING, NEWER_LAYOUT } from './attacks/journals.ts';
import { NAMES } from './attacks/names.ts';
import { SCRAPES } from './attacks/scrapes.ts';
import { LARGE_TEMPLATES, SLOW_TEMPLATES } from './attacks/templates.ts';
import type { Attack } from './beside.ts';

/** In the order of docs/security.md. */
export const ATTACKS: readonly Attack[] = [
  BACKLOG,
  FAN_OUT,
  LARGEST_FAN_OUT,
  NAMES,
  LARGE_TEMPLATES,
  SLOW_TEMPLATES,
  SCRAPES,
  FOREIGN_TERM,
  FOREIGN_PLANS,
  NEWER_LAYOUT,
  INFLATING,
  SHARED_ORIGIN,
  BOARDS,
];
