/**
 * Shapes of JSON values, with Slack's error messages. The messages and the counting of code points are those of its own validator,
 * https://github.com/slackhq/hack-json-schema, as its answers show.
 */
import { isFields } from '../json.ts';
import type { Shape } from './walk.ts';

/** Code points, as Slack counts characters. */
export function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** A text of this number of code points. */
export const text =
  (most: number, least = 1): Shape =>
  (value, walk) => {
    if (typeof value !== 'string') walk.mismatch('must provide a string', 'a string', value);
    else if (value.length < least)
      walk.fault('must be more than 0 characters', 'is empty', 'write a text, or leave out what has it');
    else if (value.length > most && lengthOf(value) > most)
      walk.fault(
        `must be less than ${most + 1} characters`,
        `has ${lengthOf(value)} characters; ${most} are allowed`,
        'write a shorter text',
      );
  };

/** A text that readers must see. Slack does not say whether it accepts blanks alone. */
export const visible = (most: number): Shape => {
  const shape = text(most);
  return (value, walk) => {
    shape(value, walk);
    if (typeof value === 'string' && value !== '' && !/\S/.test(value)) walk.note('a text of blanks alone');
  };
};

const address = text(3000);

/** An http or https URL. */
export const url: Shape = (value, walk) => {
  address(value, walk);
  if (typeof value === 'string' && value !== '' && !(/^https?:/i.test(value) && URL.canParse(value)))
    walk.fault('must be a valid URL', 'is not a URL', 'write a URL that begins with https://');
};

export const flag: Shape = (value, walk) => {
  if (typeof value !== 'boolean') walk.mismatch('must be a boolean', 'a boolean', value);
};

export const whole =
  (least = -Infinity, most = Infinity): Shape =>
  (value, walk) => {
    if (!Number.isSafeInteger(value)) walk.mismatch('must provide an integer', 'an integer', value);
    else if ((value as number) < least || (value as number) > most)
      walk.fault(
        (value as number) < least ? `must be at least ${least}` : `must be at most ${most}`,
        `is ${String(value)}; it may be ${least} to ${most}`,
        'write a number in this range',
      );
  };

export const oneOf = (...words: readonly string[]): Shape => {
  const choice =
    words.length === 1 ? `"${words[0] ?? ''}"` : `one of ${words.map((word) => `"${word}"`).join(', ')}`;
  return (value, walk) => {
    if (typeof value !== 'string' || !words.includes(value))
      walk.fault('must be a valid enum value', `must be ${choice}`, `write ${choice}`);
  };
};

/** The items of a list that is too long are not judged. */
export const list =
  (item: Shape, most: number, least = 1): Shape =>
  (value, walk) => {
    if (!Array.isArray(value)) walk.mismatch('must provide an array', 'a list', value);
    else if (value.length < least)
      walk.fault(
        `must provide at least ${least} items`,
        value.length === 0 ? 'is empty' : `has ${value.length} items; at least ${least} are needed`,
        'add an item, or leave out what has the list',
      );
    else if (value.length > most)
      walk.fault(
        `no more than ${most} items allowed`,
        `has ${value.length} items; ${most} are allowed`,
        'leave out some items',
      );
    else for (let index = 0; index < value.length; index++) walk.into(index, item, value[index]);
  };

type ShapesOf = Readonly<Record<string, Shape>>;

/**
 * An object with these fields. A name that ends with `?` may be missing. Other fields are newer than the judge. `check` judges fields
 * together.
 */
export function object(fields: ShapesOf, check?: Shape): Shape {
  const known = new Map(Object.entries(fields).map(([name, shape]) => [name.replace('?', ''), shape]));
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value, walk) => {
    if (!isFields(value)) {
      walk.mismatch('must provide an object', 'an object', value);
      return;
    }
    for (const name of required)
      if (!Object.hasOwn(value, name))
        walk.fault(`missing required field: ${name}`, `has no field "${name}"`, 'add the field');
    for (const name of Object.keys(value)) {
      const shape = known.get(name);
      if (shape === undefined) walk.note(`the field "${name}"`, name, meant(name, known.keys()));
      else walk.into(name, shape, value[name]);
    }
    check?.(value, walk);
  };
}

/** A field that Slack documents for another type alone. */
export const notHere =
  (name: string, owner: string): Shape =>
  (value, walk) => {
    if (isFields(value) && Object.hasOwn(value, name))
      walk.fault(
        `invalid additional property: ${name}`,
        `has "${name}", which is for ${owner} alone`,
        'remove it',
      );
  };

/** At least one of these fields. */
export const someOf =
  (...names: readonly string[]): Shape =>
  (value, walk) => {
    if (isFields(value) && names.every((name) => value[name] === undefined))
      walk.fault(
        `must define either ${names.map((name) => `\`${name}\``).join(' or ')}`,
        `has neither ${names.join(' nor ')}`,
        'add one of them',
        'type',
      );
  };

/** The types that are judged somewhere. Modules add theirs; `isKnownType` of `blocks.ts` has loaded all of them. */
export const KNOWN_TYPES = new Set<string>();

/** A shape for {@link byType}: the type, and its other fields. */
export const typed = (type: string, fields: ShapesOf, check?: Shape): Entry => [
  type,
  object({ type: anything, ...fields }, check),
];

type Entry = readonly [type: string, shape: Shape];

/** An object whose `type` selects its shape. A type that is known elsewhere is refused; another one is newer than the judge. */
export const byType = (noun: string, ...entries: readonly Entry[]): Shape =>
  select(noun, entries, KNOWN_TYPES);

/** Like {@link byType}, but there will be no other types. */
export const ofTypes = (noun: string, ...entries: readonly Entry[]): Shape =>
  select(noun, entries, undefined);

function select(noun: string, entries: readonly Entry[], known: ReadonlySet<string> | undefined): Shape {
  const shapes = new Map(entries);
  for (const type of shapes.keys()) KNOWN_TYPES.add(type);
  const types = [...shapes.keys()].join(', ').replace(/, (?=[^,]*$)/, ' or ');
  return (value, walk) => {
    if (!isFields(value)) walk.mismatch('must provide an object', 'an object', value);
    else if (!Object.hasOwn(value, 'type'))
      walk.fault('missing required field: type', 'has no field "type"', 'add the field');
    else if (typeof value.type !== 'string') walk.into('type', text(Infinity), value.type);
    else {
      const shape = shapes.get(value.type);
      if (shape !== undefined) shape(value, walk);
      else if (known?.has(value.type) === false && value.type !== '')
        walk.note(`the type "${value.type}" of ${noun}`, 'type', meant(value.type, shapes.keys()));
      else
        walk.fault(
          `unsupported type: ${value.type}`,
          `must be a type of ${noun}, found "${value.type}"`,
          `write ${types}`,
          'type',
        );
    }
  };
}

/** The name with the same letters, in another order or case; undefined: there is none. */
function meant(name: string, names: Iterable<string>): string | undefined {
  const letters = (word: string): string =>
    [...word.toLowerCase().replace(/[-_ ]/g, '')].toSorted((a, b) => (a < b ? -1 : 1)).join('');
  const wanted = name.length < LONGEST_NAME ? letters(name) : undefined;
  return [...names].find((each) => letters(each) === wanted);
}

const LONGEST_NAME = 40;

export const anything: Shape = () => {};
