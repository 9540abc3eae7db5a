import { type FuncMap } from '../value/func.ts';
import { paid } from './text/paid.ts';

/** Removes `.`, empty parts, and parts before `..`. */
function clean(path: string): string {
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push(part);
  }
  const cleaned = (rooted ? '/' : '') + parts.join('/');
  return cleaned === '' ? '.' : cleaned;
}

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return end === 0 ? '/' : path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function dir(path: string): string {
  return clean(path.slice(0, path.lastIndexOf('/') + 1));
}

function ext(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}

const BY_PART = { steps: 1, bytes: 8 };

const functions = {
  base: paid('func(string) string', base),
  dir: paid('func(string) string', dir, BY_PART),
  clean: paid('func(string) string', clean, BY_PART),
  ext: paid('func(string) string', ext),
  isAbs: paid('func(string) bool', (path: string) => path.startsWith('/')),
};

/** Paths with slashes. The `os` functions are the same on all systems, as on Unix. */
export const paths: FuncMap = {
  ...functions,
  osBase: functions.base,
  osDir: functions.dir,
  osClean: functions.clean,
  osExt: functions.ext,
  osIsAbs: functions.isAbs,
};
