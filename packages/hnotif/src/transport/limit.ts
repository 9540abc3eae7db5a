import { readFileSync } from 'node:fs';

/** More connections at once are no use to a process of one core. */
const MOST = 1_024;
/** Where the system does not say how many files a process may open. */
const FILES = 1_024;

/**
 * How many connections to receivers may be open at once, and so how many requests may be under way: half of the files that this
 * process may open. The other half is for the API server, our own servers, files, and connections that are being opened or closed.
 */
export function connectionLimit(files: number = openFiles()): number {
  return Math.max(1, Math.min(MOST, Math.floor(files / 2)));
}

function openFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    return soft === 'unlimited' ? Infinity : Number(soft) || FILES;
  } catch {
    // Linux alone has this file.
    return FILES;
  }
}
