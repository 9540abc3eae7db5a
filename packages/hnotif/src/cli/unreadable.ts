const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EISDIR: 'is a folder; give a file',
  EACCES: 'may not be read: you have no permission',
};

/** Why a file or folder cannot be read, after its name. */
export function whyUnreadable(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return WORDS[code] ?? `cannot be read: ${code}`;
}
