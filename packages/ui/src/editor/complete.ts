import { FUNCTIONS, STRUCTS, TIME_METHODS } from './words.ts';

/** A proposal. */
export interface Proposal {
  readonly label: string;
  readonly kind: 'field' | 'function' | 'keyword' | 'value' | 'variable' | 'method';
  /** A type, or a signature. */
  readonly detail: string;
  readonly help: string;
}

export interface Proposals {
  /** Where the word begins that they replace. */
  readonly from: number;
  readonly all: readonly Proposal[];
}

const KEYWORDS: Readonly<Record<string, string>> = {
  if: '{{ if CONDITION }} … {{ else }} … {{ end }}',
  else: 'what is shown otherwise',
  end: 'ends if, range, with, define and block',
  range: '{{ range .Targets }} … {{ end }}: once for each; the dot is the target',
  with: '{{ with .ErrorMessage }} … {{ end }}: if it is not empty; the dot is the value',
  define: '{{ define "name" }} … {{ end }}: a template to be called',
  template: '{{ template "name" . }}: calls one',
  block: 'defines a template, and calls it',
  break: 'ends the range',
  continue: 'goes on with the next one of the range',
  nil: 'nothing',
  true: '',
  false: '',
};

const FUNCTION_PROPOSALS: readonly Proposal[] = FUNCTIONS.map(({ name, signature, help }) => ({
  ...{ label: name, kind: 'function', detail: signature, help: plain(help) },
}));
const KEYWORD_PROPOSALS: readonly Proposal[] = Object.entries(KEYWORDS).map(([label, help]) => ({
  ...{ label, kind: 'keyword', detail: '', help },
}));

/** The words that may stand at a place in a template; undefined: it is outside of an action, or in a string of any text. */
export function proposalsAt(text: string, at: number): Proposals | undefined {
  const before = text.slice(0, at);
  const open = before.lastIndexOf('{{');
  if (open < 0 || before.includes('}}', open)) return undefined;
  const action = before.slice(open + 2);
  if (/^-?\s*\/\*/.test(action)) return undefined;
  const literal = openString(action);
  if (literal !== undefined)
    return valuesFor(
      action.slice(0, literal),
      scopeAt(before.slice(0, open)),
      at - (action.length - literal - 1),
    );
  const scope = scopeAt(before.slice(0, open));
  const path = /(\$[\w]*|\))?((?:\.\w*)+)$/.exec(action);
  if (path !== null) {
    const [, head = '', names = ''] = path;
    // Nobody knows here what an expression in parentheses gives.
    if (head === ')') return undefined;
    const steps = names.split('.').slice(1);
    const last = steps.pop() ?? '';
    const type = typeOf([head, ...steps], scope);
    const all = type === undefined ? [] : membersOf(type);
    return all.length === 0 ? undefined : { from: at - last.length, all };
  }
  const word = /\$?\w*$/.exec(action)?.[0] ?? '';
  const from = at - word.length;
  if (word.startsWith('$')) return { from, all: variables(scope) };
  if (/\d/.test(word.charAt(0))) return undefined;
  const fields =
    word === '' ? membersOf(scope.dot).map((each) => ({ ...each, label: `.${each.label}` })) : [];
  return { from, all: [...fields, ...KEYWORD_PROPOSALS, ...FUNCTION_PROPOSALS] };
}

/** Where the string begins that is still open at the end; undefined: none is. */
function openString(action: string): number | undefined {
  let quote = '';
  let began = 0;
  for (let at = 0; at < action.length; at++) {
    const character = action.charAt(at);
    if (quote === '') {
      if (character === '"' || character === '`') [quote, began] = [character, at];
    } else if (character === '\\' && quote === '"') at++;
    else if (character === quote) quote = '';
  }
  return quote === '' ? undefined : began;
}

/** After `eq .Event` the words that the field can hold. */
function valuesFor(action: string, scope: Scope, from: number): Proposals | undefined {
  const [, path = ''] =
    /\b(?:eq|ne)\s+((?:\$\w*)?(?:\.\w+)+)(?:\s+(?:"[^"]*"|`[^`]*`))*\s*$/.exec(action) ?? [];
  const [head = '', ...steps] = path.split('.');
  const field = steps.pop();
  const type = field === undefined ? undefined : typeOf([head, ...steps], scope);
  const values = structOf(type)?.fields.find(({ name }) => name === field)?.values ?? [];
  const all = values
    .filter((value) => value !== '')
    .map((label) => ({ ...{ label, detail: '', help: '' }, kind: 'value' }) as const);
  return all.length === 0 ? undefined : { from, all };
}

/** What is known where an action begins. */
interface Scope {
  /** The type of the dot; `''`: not known. */
  readonly dot: string;
  /** Types of variables, without the dollar. */
  readonly variables: ReadonlyMap<string, string>;
}

const ROOT = STRUCTS[0]?.name ?? '';

/** Follows `range`, `with` and variables. A rough look: what it cannot tell is not known. */
function scopeAt(text: string): Scope {
  const stack: Scope[] = [];
  let scope: Scope = { dot: ROOT, variables: new Map([['', ROOT]]) };
  for (const [, action = ''] of text.matchAll(/\{\{-?\s*(?!\/\*)([^]*?)\s*-?\}\}/g)) {
    const [, word = '', rest = ''] = /^(\w*)\s*([^]*)$/.exec(action) ?? [];
    switch (word) {
      case 'if':
        stack.push(scope);
        scope = declared(rest, scope).scope;
        break;
      case 'with':
      case 'range': {
        stack.push(scope);
        const found = declared(rest, scope, word === 'range');
        scope = { dot: found.type, variables: found.scope.variables };
        break;
      }
      case 'define':
      case 'block':
        stack.push(scope);
        scope = { dot: '', variables: new Map([['', '']]) };
        break;
      case 'else':
        scope = stack.at(-1) ?? scope;
        if (rest.startsWith('with'))
          scope = { ...scope, dot: declared(rest.slice('with'.length), scope).type };
        break;
      case 'end':
        scope = stack.pop() ?? scope;
        break;
      default:
        scope = declared(action, scope).scope;
    }
  }
  return scope;
}

/** The type of a pipeline, and the variables that it declares. */
function declared(pipeline: string, scope: Scope, isRange = false): { type: string; scope: Scope } {
  const [, names = '', value = pipeline] =
    /^\s*(\$\w+(?:\s*,\s*\$\w+)?)\s*:?=\s*([^]*)$/.exec(pipeline) ?? [];
  const [, path] = /^\s*((?:\$\w*)?(?:\.\w*)*)\s*$/.exec(value) ?? [];
  const whole =
    path === undefined || path === '' ? '' : (typeOf(path === '.' ? [''] : path.split('.'), scope) ?? '');
  const type = isRange ? (/^(?:\[\]|map\[\w+\])(.+)$/.exec(whole)?.[1] ?? '') : whole;
  if (names === '') return { type, scope };
  const variables = new Map(scope.variables);
  const [first = '', second] = names.split(',').map((name) => name.trim().slice(1));
  if (second === undefined) variables.set(first, type);
  else variables.set(first, 'int').set(second, type);
  return { type, scope: { ...scope, variables } };
}

/** The type that a path leads to: `['', 'Plan']` is `.Plan`, `['$t', 'Name']` is `$t.Name`. Undefined: not known. */
function typeOf([head = '', ...names]: readonly string[], scope: Scope): string | undefined {
  let type = head.startsWith('$') ? scope.variables.get(head.slice(1)) : scope.dot;
  for (const name of names) type = structOf(type)?.fields.find((field) => field.name === name)?.type;
  return type;
}

const structOf = (type = '') => STRUCTS.find(({ name }) => name === type.replace(/^\*/, ''));

function membersOf(type: string): readonly Proposal[] {
  if (type === 'time.Time')
    return TIME_METHODS.map(({ name, signature }) => ({
      ...{ label: name, kind: 'method', detail: signature, help: '' },
    }));
  return (structOf(type)?.fields ?? []).map(({ name, type: field, help, values }) => ({
    ...{ label: name, kind: 'field', detail: field },
    help: plain(help) + (values.length === 0 ? '' : `: ${values.filter((value) => value !== '').join(', ')}`),
  }));
}

const variables = (scope: Scope): readonly Proposal[] =>
  [...scope.variables].map(([name, type]) => ({
    ...{
      label: `$${name}`,
      kind: 'variable',
      detail: type,
      help: name === '' ? 'the data of the template' : '',
    },
  }));

/** Without the marks of code. */
function plain(help: string): string {
  return help.replaceAll('`', '');
}
