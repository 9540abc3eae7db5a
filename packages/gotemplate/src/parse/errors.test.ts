import { describe, expect, it } from 'vitest';
import { TemplateError } from '../errors.ts';
import { parseTree } from './parser.ts';

describe('a parse error', () => {
  it('also has its parts as data', () => {
    const error = errorOf('a\n{{nope}}');
    expect(error).toMatchObject({
      stage: 'parse',
      template: 't',
      line: 2,
      description: 'function "nope" not defined',
      message: 'template: t:2: function "nope" not defined',
      hint: undefined,
    });
  });

  it('says why a function does not exist here', () => {
    expect(errorOf('{{env "HOME"}}').hint).toBe('no environment');
  });
});

function parse(text: string): unknown {
  return parseTree('t', text, {
    hasFunction: (name) => name === 'print' || name === 'f',
    hint: (name) => (name === 'env' ? 'no environment' : undefined),
  });
}

function errorOf(text: string): TemplateError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('no error');
}
