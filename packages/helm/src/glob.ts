/**
 * A pattern of `.Files.Glob`: `*` and `?` stop at a slash, `**` does not, `[a-z]` and `[!a-z]` are one character, `{a,b}` is one of
 * several. A backslash takes the next character as it is.
 */
export function glob(pattern: string): RegExp {
  const source = pattern.replace(TOKEN, (token) => {
    switch (token) {
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        return '(?:';
      case '}':
        return ')';
      case ',':
        return '|';
      default:
        if (token.length > 2 && token.startsWith('['))
          return token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
        return `\\u{${token.slice(-1).codePointAt(0)?.toString(16)}}`;
    }
  });
  return new RegExp(`^${source}$`, 'su');
}

/** All characters except letters, digits, slash, dash and underscore may be special. */
const TOKEN = /\*\*|\\.|\[[^\]]+\]|[^\p{L}\p{N}/_-]/gu;
