import { isNewer } from '@hnotif/core/lifecycle';
import type { Journal } from '@hnotif/core/resources';
import type { Resolution, Stamp } from './conflict.ts';

/** Newer than every version that we have written. */
const UNKNOWN = 'unknown';

/** The version of a journal object in the API server, as far as known from our requests and from a watch that may be late. */
export interface StoredVersion {
  /** `''`: the next write creates the object. */
  readonly resourceVersion: string;
  /** Who wrote it, as far as known. */
  readonly by: Stamp | undefined;
  /** The number of the last request. */
  readonly gen: number;
  /** Whether it exists or its creation was tried. */
  readonly mayExist: boolean;
  readonly isWriting: boolean;
  /** Whether the last request was a write, and was acknowledged. */
  readonly isCommitted: boolean;
  /** The version that the watch has shown since the last write was sent. */
  readonly seen: string;
}

/** `found`: the object at the start of the process. */
export const versionOf = (found: Journal | undefined): StoredVersion => ({
  ...{ resourceVersion: found?.resourceVersion ?? '', by: found && stampOf(found), gen: found?.gen ?? 0 },
  ...{ mayExist: found !== undefined, isWriting: false, isCommitted: false, seen: '' },
});

/** Whether our last request was a write that was acknowledged, and nothing else is stored, as far as known. During a write the watch may show that one. */
export const isOurs = ({ isCommitted, isWriting, resourceVersion, seen }: StoredVersion): boolean =>
  isCommitted && (isWriting || !isNewer(seen, resourceVersion));

/**
 * Whether the object has to be written without a change of its plans: its stored version is not ours. This is true of an object of a former
 * process, too. After our write the status of a plan can prove events, and a former leader is fenced.
 */
export const isSuspect = (version: StoredVersion): boolean =>
  !version.isWriting && version.resourceVersion !== '' && !isOurs(version);

/** The watch shows this version. Default: the object was deleted or changed. */
export const afterWatch = (version: StoredVersion, seen = UNKNOWN): StoredVersion => ({ ...version, seen });

/** A write or a deletion is sent. */
export const afterRequest = (version: StoredVersion): StoredVersion => ({
  ...version,
  ...{ gen: version.gen + 1, mayExist: true, isWriting: true, seen: '' },
});

/** The request of this stamp has an answer. */
export function afterAnswer(version: StoredVersion, sent: Stamp, resolution: Resolution): StoredVersion {
  const known = { ...version, isWriting: false, isCommitted: false, seen: UNKNOWN };
  if (resolution.kind === 'deleted') return { ...known, resourceVersion: '', mayExist: false };
  if (resolution.kind === 'committed') {
    const { resourceVersion } = resolution;
    return { ...known, resourceVersion, by: stampOf(sent), isCommitted: true, seen: version.seen };
  }
  if (!('there' in resolution) || resolution.kind === 'fenced') return known;
  const { there } = resolution;
  return { ...known, resourceVersion: there.resourceVersion, by: stampOf(there) };
}

/** Without the entries. */
const stampOf = ({ gen, writer }: Stamp): Stamp => ({ gen, writer });
