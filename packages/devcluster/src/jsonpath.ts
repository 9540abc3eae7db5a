import type { Json } from './json.ts';
import { dig, isObject } from './json.ts';

type Step = (value: Json) => Json[];

const NAME = /^\.?((?:\\.|[^.[\]{}\\*'"()?@])+)/;
const QUOTED = /^\[\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")\s*\]/;
const INDEX = /^\[\s*(-?\d+)\s*\]/;
const ALL = /^(?:\[\s*\*\s*\]|\.\*)/;
const FILTER =
  /^\[\s*\?\s*\(\s*@((?:\.[\w-]+|\['[^']+'\])+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|(true|false|-?\d+(?:\.\d+)?))\s*\)\s*\]/;

/**
 * Compiles the part of JSONPath that printer columns use: `.a.b`, `.a['b']`, `[0]`, `[-1]`,
 * `[*]` and `[?(@.type=="Ready")]`.
 *
 * @throws Error for anything else (slices, `..`, other operators)
 */
export function compilePath(path: string): (root: Json) => Json[] {
  const steps: Step[] = [];
  let rest = path.replace(/^\{(.*)\}$/s, '$1').replace(/^\$/, '');
  if (!rest.startsWith('.') && !rest.startsWith('[')) throw new Error('must start with . or [');
  if (rest === '.') return (root) => [root];
  while (rest !== '') {
    const [step, length] = nextStep(rest);
    steps.push(step);
    rest = rest.slice(length);
  }
  return (root) => steps.reduce<Json[]>((found, step) => found.flatMap(step), [root]);
}

function nextStep(rest: string): [Step, number] {
  let match = ALL.exec(rest);
  if (match) return [children, match[0].length];
  match = FILTER.exec(rest);
  if (match) return [filter(match), match[0].length];
  match = INDEX.exec(rest);
  if (match) return [item(Number(match[1])), match[0].length];
  match = QUOTED.exec(rest);
  if (match) return [field(match[1] ?? match[2] ?? ''), match[0].length];
  match = rest.startsWith('..') ? null : NAME.exec(rest);
  if (match) return [field(match[1] ?? ''), match[0].length];
  throw new Error(`this server cannot read ${JSON.stringify(rest)} in a JSONPath`);
}

const children: Step = (value) =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

function field(escaped: string): Step {
  const name = escaped.replace(/\\(.)/g, '$1');
  return (value) => {
    const found = dig(value, name);
    return found === undefined ? [] : [found];
  };
}

function item(index: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

function filter(match: RegExpExecArray): Step {
  const [, path = '', operator, double, single, literal] = match;
  const read = compilePath(path);
  const wanted: Json = double ?? single ?? (JSON.parse(literal ?? 'null') as Json);
  return (value) =>
    children(value).filter((each) => {
      const found = read(each);
      return found.length > 0 && (found[0] === wanted) === (operator === '==');
    });
}
