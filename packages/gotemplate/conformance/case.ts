/** Parses case files: templates with Go's results. */
import type { Stage } from '../src/errors.ts';

/** The data of a case's template. `typed` is an encoded value, see data.ts. */
export interface CaseData {
  readonly kind: 'json' | 'notification' | 'typed';
  readonly value: unknown;
  /** For a notification: the type of its RetryCount. Default `int`. */
  readonly retryCount?: 'int' | 'int32';
}

/** The results of this file come from notifications whose RetryCount is an int32. */
const WITH_INT32 = 'Go text/template language';

/** The result of an execution. `bytes` is present if the output is not UTF-8; `output` then contains U+FFFD. */
export type Outcome =
  | { readonly output: string; readonly bytes?: Uint8Array }
  | { readonly error: string; readonly stage: Stage };

export interface Case {
  /** Unique in its file: `group/number`. */
  readonly id: string;
  readonly group: string;
  readonly template: string;
  /** Absent: nil. */
  readonly data?: CaseData;
  /** Only Go's predefined functions. Otherwise also sprig's, escapeHTML and escapeMarkdown. */
  readonly builtin: boolean;
  readonly missingkey?: string;
  /** The template's name. Default `custom`. */
  readonly name: string;
  readonly expected: Outcome;
}

export interface CaseFile {
  readonly title: string;
  readonly cases: readonly Case[];
}

/** An error in a case file. It names the file, the case and the field. */
export class CaseError extends Error {
  override readonly name = 'CaseError';
}

/** Throws a {@link CaseError}. @param file the file name in errors. */
export function parseCases(file: string, text: string): CaseFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new CaseError(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const root = new Fields(file, content);
  root.optional('format', isFormat, '1');
  const title = root.optional('title', isString, 'a string') ?? file;
  const retryCount = title === WITH_INT32 ? 'int32' : 'int';
  const fixtures = new Map(Object.entries(root.optional('fixtures', isObject, 'an object') ?? {}));
  const ids = new Set<string>();
  const cases = root.required('cases', Array.isArray, 'a list').map((item: unknown, i) => {
    const id = new Fields(`${file}: case ${i}`, item).required('id', isString, 'a string');
    if (ids.has(id)) throw new CaseError(`${file}: case ${JSON.stringify(id)}: another case has the same id`);
    ids.add(id);
    return parseCase(new Fields(`${file}: case ${JSON.stringify(id)}`, item), id, fixtures, retryCount);
  });
  return { title, cases };
}

const OUTCOME = ['output', 'outputBase64', 'error', 'stage'] as const;

function parseCase(
  fields: Fields,
  id: string,
  fixtures: ReadonlyMap<string, unknown>,
  retryCount: 'int' | 'int32',
): Case {
  fields.only('id', 'group', 'template', 'name', 'data', 'funcs', 'missingkey', 'tags', ...OUTCOME);
  const missingkey = fields.optional('missingkey', isString, 'a string');
  const data = fields.optional('data', isObject, 'an object');
  return {
    id,
    group: fields.optional('group', isString, 'a string') ?? id.replace(/\/[^/]*$/, ''),
    template: fields.required('template', isString, 'a string'),
    ...(data !== undefined && { data: { ...parseData(fields.under('data', data), fixtures), retryCount } }),
    builtin: fields.optional('funcs', oneOf('builtin'), '"builtin"') !== undefined,
    ...(missingkey !== undefined && { missingkey }),
    name: fields.optional('name', isString, 'a string') ?? 'custom',
    expected: parseOutcome(fields),
  };
}

function parseData(fields: Fields, fixtures: ReadonlyMap<string, unknown>): CaseData {
  fields.only('kind', 'value', 'fixture');
  const kinds = ['json', 'notification', 'typed'] as const;
  const kind = fields.required('kind', oneOf(...kinds), kinds.map((word) => `"${word}"`).join(' or '));
  const fixture = fields.optional('fixture', isString, 'a string');
  if (fixture === undefined) return { kind, value: fields.required('value', isAnything, 'a value') };
  if (!fixtures.has(fixture)) fields.fail('fixture', 'the name of a fixture of the file', fixture);
  return { kind, value: fixtures.get(fixture) };
}

function parseOutcome(fields: Fields): Outcome {
  const error = fields.optional('error', isString, 'a string');
  if (error !== undefined)
    return { error, stage: fields.required('stage', oneOf('parse', 'exec', 'option'), 'a stage') };
  const output = fields.required('output', isString, 'a string, or an error in its place');
  const bytes = fields.optional('outputBase64', isString, 'a string');
  return { output, ...(bytes !== undefined && { bytes: new Uint8Array(Buffer.from(bytes, 'base64')) }) };
}

/** Checks the fields of an object. Errors name the field. */
class Fields {
  readonly #where: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(where: string, value: unknown) {
    if (!isObject(value)) throw new CaseError(`${where}: expected an object, found ${show(value)}`);
    this.#where = where;
    this.#fields = value;
  }

  under(name: string, value: unknown): Fields {
    return new Fields(`${this.#where}: ${name}`, value);
  }

  required<T>(name: string, is: (value: unknown) => value is T, wanted: string): T {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (!is(value)) this.fail(name, wanted, value);
    return value;
  }

  optional<T>(name: string, is: (value: unknown) => value is T, wanted: string): T | undefined {
    return Object.hasOwn(this.#fields, name) ? this.required(name, is, wanted) : undefined;
  }

  /** Refuses unknown names: they are probably misspelt. */
  only(...names: readonly string[]): void {
    for (const name of Object.keys(this.#fields))
      if (!names.includes(name))
        throw new CaseError(
          `${this.#where}: field ${JSON.stringify(name)} is not known; known are ${names.join(', ')}`,
        );
  }

  fail(name: string, wanted: string, found: unknown): never {
    throw new CaseError(`${this.#where}: field "${name}": expected ${wanted}, found ${show(found)}`);
  }
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isFormat = (value: unknown): value is 1 => value === 1;
const isAnything = (value: unknown): value is unknown => value !== undefined;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: unknown): value is T =>
    (words as readonly unknown[]).includes(value);

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
