import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** The used part of standard input. */
export type Keyboard = Pick<ReadStream, 'isTTY' | 'on' | 'off' | 'pause' | 'unref'>;

/**
 * Calls `show` when Enter is pressed. Returns a function that ends this; undefined: nothing is read. The terminal stays in line mode, so
 * Ctrl-C and Ctrl-Z work, and a killed process leaves no changed terminal. A process in the background does not read, because reading
 * would stop it.
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

/** Whether this process is in the foreground of its terminal, as Linux reports it; on other systems true. */
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
