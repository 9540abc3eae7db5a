import { hash } from 'node:crypto';
import { z } from 'zod';
import { ParseError } from './fields.ts';

/** The layout of a journal's content that this version writes; it leaves a newer one alone. */
export const JOURNAL_VERSION = 1;

/** Who wrote a journal last; a higher term has taken over from a lower one. */
export interface Writer {
  readonly holder: string;
  readonly term: number;
}

/** A `HibernateNotificationJournal`: what hnotif has to remember of one plan. */
export interface Journal {
  readonly namespace: string;
  readonly name: string;
  /** `''`: it does not exist yet. */
  readonly resourceVersion: string;
  /** The installation's name: two of them keep a journal each. */
  readonly instance: string;
  readonly plan: { readonly name: string; readonly uid: string };
  readonly version: number;
  /** Rises with every write that is tried. */
  readonly gen: number;
  readonly writer: Writer;
  /** Deliveries that wait: for whoever lists journals. */
  readonly pending: number;
  readonly encoding: 'json' | 'deflate';
  readonly content: string;
}

const SCHEMA = z.object({
  metadata: z.object({ namespace: z.string(), name: z.string(), resourceVersion: z.string() }),
  spec: z.object({
    instance: z.string(),
    plan: z.object({ name: z.string(), uid: z.string() }),
    version: z.number().int(),
    gen: z.number().int(),
    writer: z.object({ holder: z.string(), term: z.number().int() }),
    pending: z.number().int().default(0),
    encoding: z.enum(['json', 'deflate']),
    content: z.string(),
  }),
});

/** Reads a journal as the API server gives it; its content is not looked at yet. Throws a `ParseError`. */
export function parseJournal(raw: unknown): Journal {
  const parsed = SCHEMA.safeParse(raw);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ParseError('HibernateNotificationJournal', '', problems);
  }
  return { ...parsed.data.metadata, ...parsed.data.spec };
}

/** The longest part of a plan's name that its journal's name shows. */
const SHOWN = 40;

/** A name that no other plan's journal has, nor the same plan's of another installation. */
export function journalName(plan: string, uid: string, instance: string): string {
  const digest = hash('sha256', JSON.stringify([uid, instance]), 'hex').slice(0, 20);
  return `${plan.slice(0, SHOWN).replace(/[^a-z0-9]+$/, '')}-${digest}`;
}
