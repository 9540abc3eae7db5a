import { hash } from 'node:crypto';
import { z } from 'zod';
import { ParseError } from './fields.ts';

/** The layout of a journal's content that this version writes; it leaves a newer one alone. */
export const JOURNAL_VERSION = 2;

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
  /** The objects with which it is deleted: its plan. */
  readonly owners: readonly { readonly name: string; readonly uid: string }[];
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
  metadata: z.object({
    namespace: z.string(),
    name: z.string(),
    resourceVersion: z.string(),
    ownerReferences: z.array(z.object({ name: z.string(), uid: z.string() })).default([]),
  }),
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
  const { ownerReferences: owners, ...metadata } = parsed.data.metadata;
  return { ...metadata, owners, ...parsed.data.spec };
}

/** The longest part of a plan's name that its journal's name shows. */
const SHOWN = 40;

/** A name that no other plan's journal has, nor the same plan's of another installation. */
export function journalName(plan: string, uid: string, instance: string): string {
  const digest = hash('sha256', JSON.stringify([uid, instance]), 'hex').slice(0, 20);
  return `${plan.slice(0, SHOWN).replace(/[^a-z0-9]+$/, '')}-${digest}`;
}

/**
 * Why a journal does not belong to the plan that it names; undefined: it does, as far as it shows. Its caller compares
 * namespace and uid with those of the plan itself.
 */
export function ownershipProblem({ name, owners, plan, instance }: Journal): string | undefined {
  const expected = journalName(plan.name, plan.uid, instance);
  if (name !== expected) return `its name is not that of plan ${plan.name}'s journal, ${expected}`;
  if (!owners.some((owner) => owner.uid === plan.uid && owner.name === plan.name))
    return `its ownerReferences do not name plan ${plan.name} with the uid ${plan.uid}`;
  return undefined;
}
