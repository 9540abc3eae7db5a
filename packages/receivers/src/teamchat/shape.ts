/**
 * Shapes of JSON values, with Slack's error messages. The messages and the counting of code points are those of its own validator,
 * https://github.com/slackhq/hack-json-schema, as its answers show.
 */

/** Collects errors: `<what> [json-pointer:<where>]`. */
export type Report = (what: string, at: string) => void;

/** Reports the errors of a value. */
export type Shape = (value: unknown, at: string, report: Report) => void;

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text with this number of code points. A text of only blanks counts as empty, which may be stricter than Slack. */
export function text(max: number, min = 1): Shape {
  return (value, at, report) => {
    if (typeof value !== 'string') report('must provide a string', at);
    else if (min > 0 && value.trim() === '') report('must be more than 0 characters', at);
    else if (value.length > max && [...value].length > max)
      report(`must be less than ${max + 1} characters`, at);
  };
}

/** An http or https URL. */
export function url(): Shape {
  const length = text(3000);
  return (value, at, report) => {
    length(value, at, report);
    if (typeof value === 'string' && !(/^https?:/i.test(value) && URL.canParse(value)))
      report('must be a valid URL', at);
  };
}

export const flag: Shape = (value, at, report) => {
  if (typeof value !== 'boolean') report('must be a boolean', at);
};

export const whole: Shape = (value, at, report) => {
  if (!Number.isSafeInteger(value)) report('must provide an integer', at);
};

export function oneOf(...words: readonly string[]): Shape {
  return (value, at, report) => {
    if (typeof value !== 'string' || !words.includes(value)) report('must be a valid enum value', at);
  };
}

export function list(item: Shape, max: number, min = 1): Shape {
  return (value, at, report) => {
    if (!Array.isArray(value)) {
      report('must provide an array', at);
      return;
    }
    if (value.length < min) report(`must provide at least ${min} items`, at);
    if (value.length > max) report(`no more than ${max} items allowed`, at);
    value.forEach((each, index) => {
      item(each, `${at}/${index}`, report);
    });
  };
}

/** An object with only these fields. A name that ends with `?` may be missing. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const known = new Map(Object.entries(fields).map(([name, shape]) => [name.replace('?', ''), shape]));
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value, at, report) => {
    if (!isFields(value)) {
      report('must provide an object', at);
      return;
    }
    for (const name of required)
      if (!Object.hasOwn(value, name)) report(`missing required field: ${name}`, at);
    for (const [name, each] of Object.entries(value)) {
      const shape = known.get(name);
      if (shape === undefined) report(`invalid additional property: ${name}`, at);
      else shape(each, `${at}/${name}`, report);
    }
  };
}

/** An object whose `type` selects its shape. */
export function byType(shapes: ReadonlyMap<string, Shape>): Shape {
  return (value, at, report) => {
    if (!isFields(value)) report('must provide an object', at);
    else if (typeof value.type !== 'string') report('missing required field: type', at);
    else {
      const shape = shapes.get(value.type);
      if (shape === undefined) report(`unsupported type: ${value.type}`, `${at}/type`);
      else shape(value, at, report);
    }
  };
}

/** For a value with several possible shapes Slack reports two errors: no shape matches, and why. */
export function either(shape: Shape): Shape {
  return (value, at, report) => {
    const faults: [string, string][] = [];
    shape(value, at, (what, where) => faults.push([what, where]));
    if (faults.length > 0) report('failed to match all allowed schemas', at);
    for (const fault of faults) report(...fault);
  };
}

export const anything: Shape = () => {};
