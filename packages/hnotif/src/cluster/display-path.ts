import { dirname, join, resolve, sep } from 'node:path';

const LONGEST = 300;
const LONGEST_NAME = 100;
/** An absolute path, a relative one with a dot, a file name with a usual extension, or a word. */
const PATH =
  /^(?:\/|\.{1,2}[\\/]|~[\\/]|[a-z]:[\\/]).*$|^[\w. \\/-]+\.(?:ca|cer|conf|config|crt|json|jwt|key|pem|token|txt|ya?ml)$|^[a-z]{1,12}$/i;

/**
 * A blank and the path, if the text is clearly a path; else `''`. People may paste the content of the file instead: a token, a key, a whole
 * kubeconfig.
 */
export function displayPath(text: string): string {
  const isPlain =
    text.length <= LONGEST &&
    PATH.test(text) &&
    !/\p{C}|-----|^\/\/|[?&=]|:[^\\/]*@/u.test(text) &&
    text.split(/[\\/]/).every((name) => name.length <= LONGEST_NAME && !isToken(name));
  return isPlain ? ` ${text}` : '';
}

/** The name of a command, if the text is clearly one; else undefined. People may write a whole command line. */
export function displayCommand(text: string): string | undefined {
  const [name = ''] = text.trim().split(/\s/);
  const isPlain = /^[\w.\\/:~@-]{1,300}$/.test(name) && !/:[^\\/]*@|:\/\//.test(name);
  if (!isPlain || name.split(/[\\/]/).some(isToken)) return undefined;
  return name === text ? name : `${name} …`;
}

/** Long, with digits and both cases in one run: not a name given by a person. */
const isToken = (name: string): boolean =>
  (name.match(/[A-Za-z0-9+=]{20,}/g) ?? []).some(
    (run) => /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run),
  );

/** The path in a field of a kubeconfig as it was written, if it is clearly a path. `file`: the kubeconfig. */
export const displayFieldPath = (path: string, file: string): string => {
  const folder = join(dirname(resolve(file)), sep);
  return displayPath(path.startsWith(folder) ? path.slice(folder.length) : path);
};
