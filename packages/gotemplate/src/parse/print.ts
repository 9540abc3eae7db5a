import { quote } from '../strconv/quote.ts';
import type { Node } from './ast.ts';

/**
 * A node as Go prints it: with the standard delimiters and one space between words, without definitions and (unless the
 * AST has them) comments. Parsing the result gives the same AST, with two exceptions. Adjacent texts may form a delimiter,
 * if a trim marker, comment or definition was between them. A chain of `else if` is printed nested, maybe too deep. The
 * depth of the AST has no limit here.
 */
export function print(node: Node): string {
  let text = '';
  // The pending parts, the next one last. Recursion could overflow the host's stack.
  const pending: (Node | string)[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') text += next;
    else {
      const parts = partsOf(next);
      if (typeof parts === 'string') text += parts;
      else for (let i = parts.length - 1; i >= 0; i--) pending.push(parts[i] ?? '');
    }
  }
  return text;
}

type Parts = string | readonly (Node | string)[];

function partsOf(node: Node): Parts {
  switch (node.kind) {
    case 'list':
      return node.nodes;
    case 'text':
      return node.text;
    case 'comment':
      return `{{${node.text}}}`;
    case 'action':
      return ['{{', node.pipe, '}}'];
    case 'if':
    case 'range':
    case 'with': {
      const otherwise = node.elseList === undefined ? [] : ['{{else}}', node.elseList];
      return [`{{${node.kind} `, node.pipe, '}}', node.list, ...otherwise, '{{end}}'];
    }
    case 'template': {
      const start = `{{template ${quote(node.name)}`;
      return node.pipe === undefined ? `${start}}}` : [`${start} `, node.pipe, '}}'];
    }
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'pipe': {
      const names = node.decl.map((variable) => variable.idents.join('.')).join(', ');
      const decl = names === '' ? [] : [`${names} ${node.assign ? '=' : ':='} `];
      return [...decl, ...between(node.cmds, ' | ')];
    }
    case 'command':
      return between(node.args.map(operand), ' ').flat();
    case 'chain':
      return [...operand(node.node), ...node.fields.map((field) => `.${field}`)];
    case 'field':
      return `.${node.idents.join('.')}`;
    case 'variable':
      return node.idents.join('.');
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
  }
}

/** A pipeline that is an operand needs its parentheses. */
function operand(node: Node): readonly (Node | string)[] {
  return node.kind === 'pipe' ? ['(', node, ')'] : [node];
}

function between<T>(items: readonly T[], separator: string): (T | string)[] {
  return items.flatMap((item, i) => (i === 0 ? [item] : [separator, item]));
}
