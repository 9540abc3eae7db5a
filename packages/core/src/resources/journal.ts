import { hash } from 'node:crypto';
import * as z from 'zod';
import { ParseError } from './fields.ts';
import { isRaw } from './objects.ts';

/** The layout of journals that this version reads and writes. It leaves others alone. */
export const JOURNAL_VERSION = 3;

/** The last writer of a journal. A writer with a higher term has taken over from one with a lower term. */
export interface Writer {
  readonly holder: string;
  readonly term: number;
}

/** The entry of one plan. The texts are JSON, or packed: see `journal/text.ts`. */
export interface JournalEntry {
  /** Of the plan. */
  readonly name: string;
  /** Rises with every attempt to write this entry. The higher of two entries of a plan is newer. */
  readonly gen: number;
  /** Deliveries that wait. */
  readonly waiting: number;
  /** The observed state of the plan. */
  readonly observed: string;
  /** The streams in which events wait, and groups of them; absent: nothing waits. */
  readonly streams?: string | undefined;
  /** The cursor of each stream. */
  readonly cursors?: string | undefined;
  /** The events that wait, in chunks, by the position of the first one. */
  readonly log: Readonly<Record<string, string>>;
  /** What each sink stores for the plan, by `notification/sink`: the sink's own JSON. */
  readonly sinks: Readonly<Record<string, string>>;
  /** How the last deliveries of progress and phase changes ended, for people: lines that begin with the time, in a ring of slots. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The same of the events that say how the last nights went. */
  readonly nights: Readonly<Record<string, string>>;
  /** The plan, while deliveries wait: if it is deleted, they are sent with this state, and the entry stays until nothing waits. */
  readonly plan?: string | undefined;
}

/** A `HibernateNotificationJournal`: the entries of some plans of one namespace. */
export interface Journal {
  readonly namespace: string;
  readonly name: string;
  /** `''`: the object does not exist. */
  readonly resourceVersion: string;
  /** The name of the installation. Each installation has its own journals. */
  readonly instance: string;
  readonly version: number;
  /** Rises with every attempt to write. */
  readonly gen: number;
  readonly writer: Writer;
  /** By plan uid; undefined: the entry cannot be read, as all entries of another layout. */
  readonly plans: ReadonlyMap<string, JournalEntry | undefined>;
}

/** For people who list journals. */
export interface JournalSummary {
  readonly plans: number;
  /** Deliveries. */
  readonly waiting: number;
  /** When the oldest of them was accepted (RFC 3339). */
  readonly oldest: string | null;
  /** For which sinks they wait. */
  readonly for: string;
}

/** The changes of an entry. Null removes a text (JSON merge patch, RFC 7396). */
export type EntryPatch = {
  readonly [Part in keyof JournalEntry]?: JournalEntry[Part] extends Readonly<Record<string, string>>
    ? Readonly<Record<string, string | null>>
    : JournalEntry[Part] | null;
};

/** A write of a journal. */
export interface JournalWrite extends Omit<Journal, 'plans'> {
  readonly summary: JournalSummary;
  /** By plan uid; null removes the entry. */
  readonly plans: Readonly<Record<string, EntryPatch | null>>;
}

const TEXTS = z.record(z.string(), z.string());

const ENTRY = z.object({
  name: z.string(),
  gen: z.number().int(),
  waiting: z.number().int(),
  observed: z.string(),
  streams: z.string().optional(),
  cursors: z.string().optional(),
  log: TEXTS.default({}),
  sinks: TEXTS.default({}),
  // They are only for people: invalid ones are ignored.
  outcomes: TEXTS.catch({}),
  nights: TEXTS.catch({}),
  plan: z.string().optional(),
});

const METADATA = z.object({
  namespace: z.string(),
  name: z.string(),
  resourceVersion: z.string(),
});

/** The fields of every layout. */
const HEAD = z.object({
  instance: z.string(),
  version: z.number().int(),
  gen: z.number().int().default(0),
  writer: z.object({ holder: z.string(), term: z.number().int() }).default({ holder: '', term: 0 }),
});

const PLANS = z.record(z.string(), z.unknown());

// Once, not for each journal: zod compiles each schema at its first use.
const JOURNAL = z.object({ metadata: METADATA, spec: HEAD });
const OUR_PLANS = z.object({ spec: z.object({ plans: PLANS.default({}) }) });
const OTHER_PLANS = z.object({ spec: z.object({ plans: PLANS.catch({}) }) });

/**
 * Parses a journal, without the texts of its entries. `before`: an earlier state of it; what the same writer has not written again since is
 * not read again. Throws a `ParseError`.
 */
export function parseJournal(raw: unknown, before?: Journal): Journal {
  const { metadata, spec } = read(JOURNAL, raw);
  const isKnown = spec.version === JOURNAL_VERSION;
  const known = before?.writer.term === spec.writer.term ? before.plans : undefined;
  const entries = Object.entries(read(isKnown ? OUR_PLANS : OTHER_PLANS, raw).spec.plans);
  return {
    ...{ ...metadata, ...spec },
    plans: new Map(
      entries.map(([uid, entry]) => [uid, isKnown ? entryOf(entry, known?.get(uid)) : undefined]),
    ),
  };
}

const entryOf = (raw: unknown, known: JournalEntry | undefined): JournalEntry | undefined =>
  known !== undefined && isRaw(raw) && raw.gen === known.gen ? known : ENTRY.safeParse(raw).data;

function read<T>(schema: z.ZodType<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ParseError('HibernateNotificationJournal', '', problems);
}

const digestOf = (text: string, length: number): string => hash('sha256', text, 'hex').slice(0, length);

/** The longest part of a plan's name in the name of its journal. */
const SHOWN = 40;

/** How the names of all journals of an instance begin. */
const prefixOf = (instance: string): string => `hnotif-${digestOf(instance, 8)}-`;

/** The name of a journal that plans share. */
export const sharedJournalName = (partition: number, instance: string): string =>
  `${prefixOf(instance)}${partition}`;

/** The name of the dedicated journal of a plan. */
export const dedicatedJournalName = (plan: string, uid: string, instance: string): string =>
  `${prefixOf(instance)}${plan.slice(0, SHOWN).replace(/[^a-z0-9]+$/, '')}-${digestOf(uid, 20)}`;

/** The partition in the name of a journal; undefined: not a shared journal of this instance. */
export function partitionOfName(name: string, instance: string): number | undefined {
  const partition = Number(/-(0|[1-9]\d{0,5})$/.exec(name)?.[1] ?? NaN);
  return name === sharedJournalName(partition, instance) ? partition : undefined;
}

/** The partition of a plan. `partitions`: a power of two. When it doubles, each partition is divided in two. */
export const partitionOf = (uid: string, partitions: number): number =>
  Number.parseInt(digestOf(uid, 8), 16) & (partitions - 1);

/** Why a journal does not belong to this installation, by its name; undefined: it does. */
export function ownershipProblem({ name, version, instance, plans }: Journal): string | undefined {
  const [[uid, entry] = ['', undefined]] = plans;
  if (partitionOfName(name, instance) !== undefined) return undefined;
  if (version !== JOURNAL_VERSION) return undefined;
  // A dedicated one, if a process was killed before it deleted it.
  if (plans.size === 0 && name.startsWith(prefixOf(instance))) return undefined;
  if (plans.size === 1 && name === dedicatedJournalName(entry?.name ?? '', uid, instance)) return undefined;
  return `its name is not that of a journal of the instance ${instance}`;
}
