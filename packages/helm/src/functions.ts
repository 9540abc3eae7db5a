/** The functions that Helm adds to sprig's. */
import {
  type Context,
  Func,
  type FuncMap,
  GoError,
  Unavailable,
  type Value,
  contextual,
  fn,
  sprig,
} from '@hnotif/gotemplate';
import { isMap } from './values.ts';
import { readYaml, writeYaml } from './yaml.ts';

const functions = sprig();

function json(name: 'toJson' | 'mustToJson', context: Context, value: Value): string {
  const func = functions[name];
  if (!(func instanceof Func)) throw new TypeError(`sprig has no ${name}`);
  return func.call(context, [value]) as string;
}

function toYaml(context: Context, value: Value): string {
  const text = json('toJson', context, value);
  // What JSON cannot say is an empty text, as in Helm.
  return text === '' ? '' : writeYaml(JSON.parse(text));
}

const mustToYaml = (context: Context, value: Value): string =>
  writeYaml(JSON.parse(json('mustToJson', context, value)));

/** Reads a map; an error becomes its key `Error`, as in Helm. */
const mapReader = (read: (text: string) => unknown) =>
  fn('func(string) map[string]interface {}', (text: string) => {
    const data = attempt(read, text) ?? {};
    if (data instanceof Error) return { Error: data.message };
    return isMap(data) ? data : { Error: 'the text is not a map' };
  });

/** Reads a list; an error becomes its only element, as in Helm. */
const listReader = (read: (text: string) => unknown) =>
  fn('func(string) []interface {}', (text: string) => {
    const data = attempt(read, text) ?? [];
    if (data instanceof Error) return [data.message];
    return Array.isArray(data) ? (data as unknown[]) : ['the text is not a list'];
  });

function attempt(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const readJson = (text: string): unknown => JSON.parse(text);

/** Lets through what is neither nil nor an empty text. */
function required(message: string, value: Value): Value {
  if (value === null || value === undefined || value === '') throw new GoError(message);
  return value;
}

/** A function that a chart may name, and that fails when it is called. */
const failing = (reason: string): Func =>
  fn('func(...interface {}) (interface {}, error)', () => {
    throw new GoError(`not supported here: ${reason}`);
  });

/** sprig's functions. Helm has all but two; those that gotemplate leaves out are there for charts that do not call them. */
const sprigs = Object.fromEntries(
  Object.entries(functions)
    .filter(([name]) => name !== 'env' && name !== 'expandenv')
    .map(([name, func]) => [name, func instanceof Unavailable ? failing(func.reason) : func]),
);

const toml = failing('TOML is not read or written');

/** The functions of a chart's templates, without `include` and `tpl`, which need the templates. */
export const HELM: FuncMap = {
  ...sprigs,
  toYaml: contextual('func(interface {}) string', toYaml),
  toYamlPretty: contextual('func(interface {}) string', toYaml),
  mustToYaml: contextual('func(interface {}) string', mustToYaml),
  fromYaml: mapReader(readYaml),
  fromYamlArray: listReader(readYaml),
  fromJson: mapReader(readJson),
  fromJsonArray: listReader(readJson),
  required: fn('func(string, interface {}) (interface {}, error)', required),
  // There is no cluster.
  lookup: fn('func(string, string, string, string) (map[string]interface {}, error)', () => ({})),
  getHostByName: fn('func(string) string', () => ''),
  toToml: toml,
  mustToToml: toml,
  fromToml: toml,
};
