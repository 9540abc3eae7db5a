/** Generates cases: a template and its data. Each family has its preferences. */
import type { Program } from '../conformance/evaluate.ts';
import { randomRoot } from './data.ts';
import { Expressions, type Taste } from './expressions.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';
import { type Statement, Statements } from './statements.ts';
import { all, builtin } from './vocabulary.ts';

export const FAMILIES = ['parse', 'exec', 'fmt', 'sprig', 'time', 'regex', 'json'] as const;
export type Family = (typeof FAMILIES)[number];

type Weights = Readonly<Record<Statement, number>>;

const CALLS: Weights = {
  text: 1,
  action: 12,
  if: 0.3,
  with: 0.2,
  range: 0.5,
  variable: 0.5,
  assign: 0,
  template: 0,
  comment: 0,
  block: 0,
  leave: 0,
};
const LANGUAGE: Weights = {
  text: 3,
  action: 6,
  if: 3,
  with: 3,
  range: 4,
  variable: 3,
  assign: 2,
  template: 2,
  comment: 0.5,
  block: 0.7,
  leave: 1.5,
};

const named = (pattern: RegExp): readonly string[] => all.names.filter((name) => pattern.test(name));

const FAVOURITES: Readonly<Record<Exclude<Family, 'parse' | 'exec' | 'sprig'>, readonly string[]>> = {
  fmt: [
    'printf',
    'printf',
    'printf',
    'print',
    'println',
    'quote',
    'toString',
    'html',
    'js',
    'urlquery',
    'toStrings',
    'cat',
  ],
  time: named(/date|duration|epoch/i),
  regex: named(/regex/i),
  json: named(/json/i),
};

/** A random case. */
export function randomProgram(random: Random, family: Family): Program {
  const root = randomRoot(random);
  const isLanguage = family === 'exec' || family === 'parse';
  const isBuiltin = isLanguage ? random.chance(0.5) : family === 'fmt' && random.chance(0.3);
  const taste: Taste = {
    vocabulary: isBuiltin ? builtin : all,
    favourites: favouritesOf(random, family, isBuiltin),
    mistakes: random.pick([0, 0.05, 0.15]),
  };
  const statements = new Statements(random, new Expressions(random, taste), isLanguage ? LANGUAGE : CALLS);
  const text = statements.template(root);
  return {
    template: family === 'parse' && random.chance(0.9) ? mutate(random, text) : text,
    data: root.data,
    builtin: isBuiltin,
    name: random.chance(0.05) ? random.pick(['my tmpl.txt', '', 'a:b', 'é']) : 'custom',
    ...(random.chance(0.15) && { missingkey: random.pick(['error', 'zero', 'default', 'invalid']) }),
  };
}

function favouritesOf(random: Random, family: Family, isBuiltin: boolean): readonly string[] {
  switch (family) {
    case 'parse':
    case 'exec':
      return [];
    case 'sprig':
      // One favourite at a time, so that all functions occur.
      return [random.pick(all.names)];
    default: {
      const names = FAVOURITES[family];
      return isBuiltin ? names.filter((name) => builtin.find(name) !== undefined) : names;
    }
  }
}
