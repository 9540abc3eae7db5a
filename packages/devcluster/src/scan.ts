/** The properties of a text that `JSON.parse` does not report. */
export interface Scan {
  /** The paths of duplicate fields in an object (`spec.sinks[0].name`). */
  readonly duplicates: readonly string[];
  /** How deep objects and lists are nested. */
  readonly depth: number;
}

interface Level {
  readonly path: string;
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
  atKey: boolean;
}

/** Scans a text that `JSON.parse` has accepted. Not recursive, for any depth of the text. */
export function scanJson(text: string): Scan {
  const duplicates = new Set<string>();
  const levels: Level[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '{':
      case '[': {
        const isObject = text[at] === '{';
        levels.push({
          path: level ? pathOf(level) : '',
          keys: isObject ? new Set() : undefined,
          key: '',
          index: 0,
          atKey: isObject,
        });
        depth = Math.max(depth, levels.length);
        break;
      }
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (level) {
          level.index += 1;
          level.atKey = level.keys !== undefined;
        }
        break;
      case '"': {
        const end = endOfString(text, at);
        if (level?.keys && level.atKey) {
          level.key = JSON.parse(text.slice(at, end + 1)) as string;
          level.atKey = false;
          if (level.keys.has(level.key)) duplicates.add(pathOf(level));
          level.keys.add(level.key);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return { duplicates: [...duplicates], depth };
}

function pathOf({ path, keys, key, index }: Level): string {
  if (!keys) return `${path}[${index}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The index of the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
