import { EventEmitter, once } from 'node:events';
import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CommandError, FlagError, type Io } from './io.ts';
import { whyUnreadable } from './unreadable.ts';

/** Editors save in several steps (milliseconds). */
const SAVED_MS = 100;

/** Acts, and again after each change of the files or folders, also while one cannot be read, until the signal. */
export async function onEachChange(
  files: readonly string[],
  { recursive }: { readonly recursive: boolean },
  io: Io,
  act: () => Promise<unknown>,
): Promise<void> {
  const { signal } = io;
  const changed = new EventEmitter();
  const watchers: FSWatcher[] = [];
  try {
    for (const file of files)
      watchers.push(watched(file, { recursive, signal }, () => changed.emit('change')));
    while (!signal.aborted) {
      // Also of a change while it acts.
      const change = once(changed, 'change', { signal }).catch(() => undefined);
      try {
        await act();
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        io.err(`error: ${error.message}\n`);
      }
      await change;
      await setTimeout(SAVED_MS, undefined, { signal }).catch(() => undefined);
      io.out('\n');
    }
  } finally {
    for (const each of watchers) each.close();
  }
}

/** Watches a folder, or a file in its folder: many editors save a file by putting another one in its place. Throws a `FlagError`. */
function watched(
  path: string,
  { recursive, signal }: { readonly recursive: boolean; readonly signal: AbortSignal },
  changed: () => void,
): FSWatcher {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return watch(path, { recursive, signal }, changed);
    const file = found === undefined ? path : realpathSync(path);
    return watch(dirname(file), { signal }, (_, entry) => {
      if (entry === null || entry === basename(file)) changed();
    });
  } catch (error) {
    throw new FlagError(`${path}: it ${whyUnreadable(error)}`);
  }
}
