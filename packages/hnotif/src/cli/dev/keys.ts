import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** What of standard input is used. */
export type Keyboard = Pick<ReadStream, 'isTTY' | 'on' | 'off' | 'pause' | 'unref'>;

/**
 * Calls `show` whenever Enter is pressed, until what it answers with is called; undefined: nothing is read. The terminal stays as it is,
 * line by line: so its own keys (Ctrl-C, Ctrl-Z) keep their meaning, and a process that is killed leaves nothing behind. In the background
 * nothing is read: that would stop the process.
 */
export function onEnter(
  stdin: Keyboard,
  show: () => void,
  isForeground = inForeground,
): (() => void) | undefined {
  if (!stdin.isTTY || !isForeground()) return undefined;
  const ignore = (): void => undefined;
  stdin.on('error', ignore);
  stdin.on('data', show);
  stdin.unref();
  return () => {
    stdin.off('data', show);
    stdin.pause();
  };
}

/** Whether the terminal is this job's, by Linux' own account; elsewhere it is taken to be. */
function inForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // pid (command) state ppid pgrp session tty_nr tpgid …
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return true;
  }
}
