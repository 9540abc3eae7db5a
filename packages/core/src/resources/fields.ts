import { kindOf } from './kind-of.ts';
import { intern } from './shared-text.ts';

/** An object from the API server that cannot be parsed. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** `namespace/name`, or `''` for an object without a name. */
  readonly object: string;
  /** Each is `path: expected …, found …`, or `path: is missing; set it to …`. With more than 20, the last one is `and N more`. */
  readonly problems: readonly string[];

  constructor(kind: string, object: string, problems: readonly string[]) {
    super(`${kind}${object && ` ${object}`} cannot be read: ${problems.join('; ')}`);
    this.object = object;
    this.problems = problems;
  }
}

type Raw = Readonly<Record<string, unknown>>;

const NOTHING: Raw = Object.freeze({});

/** Problems of an object that are named. Others are counted: an object may have tens of thousands. */
const MOST_NAMED = 20;

/** Of an object. */
interface Problems {
  readonly named: string[];
  more: number;
}

/**
 * Parses an object from outside field by field. Null counts as absent. A field of a wrong type counts as absent and is added to `problems`
 * with its path. Paths are built only for problems: this runs for every watch event.
 */
export class Fields {
  readonly #raw: Raw;
  readonly #parent: Fields | undefined;
  readonly #step: string | number;
  readonly #problems: Problems;

  private constructor(raw: Raw, problems: Problems, parent: Fields | undefined, step: string | number) {
    this.#raw = raw;
    this.#problems = problems;
    this.#parent = parent;
    this.#step = step;
  }

  /** The root; undefined: `raw` is not an object. */
  static of(raw: unknown): Fields | undefined {
    return isObject(raw) ? new Fields(raw, { named: [], more: 0 }, undefined, '') : undefined;
  }

  /** Of the whole object, so far: the first 20, and the number of the others as one text more. */
  get problems(): readonly string[] {
    const { named, more } = this.#problems;
    return more === 0 ? named : [...named, `and ${more} more`];
  }

  has(key: string): boolean {
    return this.#get(key) != null;
  }

  /** A text; `''`: absent. */
  text(key: string): string {
    return this.optionalText(key) ?? '';
  }

  /** A text that many objects have in common. Equal texts share their memory. */
  word(key: string): string {
    return intern(this.text(key));
  }

  optionalText(key: string): string | undefined {
    const value = this.#get(key);
    if (typeof value === 'string') return value;
    if (value != null) this.wrong(key, 'a string', value);
    return undefined;
  }

  /** A text that must not be absent or empty; otherwise `''` and a problem. */
  requiredText(key: string, expected = 'a string'): string {
    const value = this.optionalText(key);
    if (value === undefined || value === '') this.missing(key, expected);
    return value ?? '';
  }

  /** A whole number of at least 0. */
  count(key: string): number | undefined {
    const value = this.#get(key);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    if (value != null) this.wrong(key, 'a whole number of at least 0', value);
    return undefined;
  }

  flag(key: string): boolean | undefined {
    const value = this.#get(key);
    if (typeof value === 'boolean') return value;
    if (value != null) this.wrong(key, 'true or false', value);
    return undefined;
  }

  /** An object; an empty one if absent. */
  object(key: string): Fields {
    return this.optionalObject(key) ?? new Fields(NOTHING, this.#problems, this, key);
  }

  optionalObject(key: string): Fields | undefined {
    const value = this.#get(key);
    if (isObject(value)) return new Fields(value, this.#problems, this, key);
    if (value != null) this.wrong(key, 'an object', value);
    return undefined;
  }

  /** The objects of a list. Other items are skipped. */
  objects(key: string): Fields[] {
    const found: Fields[] = [];
    const list = this.#list(key);
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (isObject(item)) found.push(new Fields(item, this.#problems, this, `${key}[${index}]`));
      else this.wrong(`${key}[${index}]`, 'an object', item);
    }
    return found;
  }

  /** The texts of a list. Other items are skipped. */
  texts(key: string): string[] {
    return this.#list(key).filter((item, index): item is string => {
      if (typeof item !== 'string') this.wrong(`${key}[${index}]`, 'a string', item);
      return typeof item === 'string';
    });
  }

  /** A map of texts. Other entries are skipped. */
  textMap(key: string): Readonly<Record<string, string>> {
    const map = this.optionalObject(key);
    if (map === undefined) return {};
    const entries = Object.entries(map.#raw);
    if (entries.every(isTextEntry)) return map.#raw as Readonly<Record<string, string>>;
    for (const [name, value] of entries) if (typeof value !== 'string') map.wrong(name, 'a string', value);
    return Object.fromEntries(entries.filter(isTextEntry));
  }

  wrong(key: string, expected: string, found: unknown): void {
    this.#add(key, () => `expected ${expected}, found ${describe(found)}`);
  }

  /** Adds a problem for a required field that is absent or empty. A wrong type has been added already. */
  missing(key: string, expected: string): void {
    const value = this.#get(key);
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
    if (value == null || isEmpty)
      this.#add(key, () => `is ${isEmpty ? 'empty' : 'missing'}; set it to ${expected}`);
  }

  #add(key: string, what: () => string): void {
    const { named } = this.#problems;
    if (named.length < MOST_NAMED) named.push(`${this.#path(key)}: ${what()}`);
    else this.#problems.more++;
  }

  #list(key: string): readonly unknown[] {
    const value = this.#get(key);
    if (Array.isArray(value)) return value as readonly unknown[];
    if (value != null) this.wrong(key, 'a list', value);
    return [];
  }

  #get(key: string): unknown {
    return this.#raw[key];
  }

  #path(key: string): string {
    const step = /^[\w[\]]+$/.test(key) ? key : `'${key}'`;
    if (this.#parent === undefined) return step;
    return `${this.#parent.#path(String(this.#step))}.${step}`;
  }
}

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

/** The type of a value, and the value if it is short. */
function describe(value: unknown): string {
  if (value == null) return 'nothing';
  if (value === '') return 'an empty string';
  if (typeof value === 'object') return kindOf(value);
  const text = JSON.stringify(value);
  return `the ${typeof value} ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
}
