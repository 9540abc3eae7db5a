import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `last-resort`: also empty pages and the pages of the young generation are given back. */
type Collect = (options?: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

/** V8's own garbage collection of this thread, which Node shows with a flag only. */
export function garbageCollection(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
