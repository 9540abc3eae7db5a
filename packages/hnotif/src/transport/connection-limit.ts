import { readFileSync } from 'node:fs';

/** More connections do not help a process with one core. */
const MOST_CONNECTIONS = 1_024;
/** The open-file limit where the system does not report one. */
const DEFAULT_OPEN_FILES = 1_024;

/**
 * How many connections to receivers may be open, and so how many requests may run: half of the files that the process may open. The
 * other half is for the API server, our own servers, files, and connections that are being opened or closed.
 */
export function connectionLimit(files: number = openFiles()): number {
  return Math.max(1, Math.min(MOST_CONNECTIONS, Math.floor(files / 2)));
}

function openFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    return soft === 'unlimited' ? Infinity : Number(soft) || DEFAULT_OPEN_FILES;
  } catch {
    // Only Linux has this file.
    return DEFAULT_OPEN_FILES;
  }
}
