import { dirname, join, resolve, sep } from 'node:path';

const LONGEST = 300;
const LONGEST_NAME = 100;
/** Absolute, or relative as one writes it to be clear, or a file's name with an ending that such files have, or a word. */
const PATH =
  /^(?:\/|\.{1,2}[\\/]|~[\\/]|[a-z]:[\\/]).*$|^[\w. \\/-]+\.(?:ca|cer|conf|config|crt|json|jwt|key|pem|token|txt|ya?ml)$|^[a-z]{1,12}$/i;

/**
 * A blank and the path, where a text is plainly one; else nothing. Into a field that asks for a path people paste what
 * is to be in the file: a token, a key, a whole kubeconfig.
 */
export function displayPath(text: string): string {
  const isPlain =
    text.length <= LONGEST &&
    PATH.test(text) &&
    !/\p{C}|-----|^\/\/|[?&=]|:[^\\/]*@/u.test(text) &&
    text.split(/[\\/]/).every((name) => name.length <= LONGEST_NAME && !isToken(name));
  return isPlain ? ` ${text}` : '';
}

/** The name of a command, where a text is plainly one; undefined else: whole command lines get written there, too. */
export function displayCommand(text: string): string | undefined {
  const [name = ''] = text.trim().split(/\s/);
  const isPlain = /^[\w.\\/:~@-]{1,300}$/.test(name) && !/:[^\\/]*@|:\/\//.test(name);
  if (!isPlain || name.split(/[\\/]/).some(isToken)) return undefined;
  return name === text ? name : `${name} …`;
}

/** Long, with digits and both cases in one run: no name that a human gave. */
const isToken = (name: string): boolean =>
  (name.match(/[A-Za-z0-9+=]{20,}/g) ?? []).some(
    (run) => /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run),
  );

/** A path that a field of a kubeconfig holds, as it may be shown: as it was written, if it is plainly one. `file` is the kubeconfig. */
export const displayFieldPath = (path: string, file: string): string => {
  const folder = join(dirname(resolve(file)), sep);
  return displayPath(path.startsWith(folder) ? path.slice(folder.length) : path);
};
