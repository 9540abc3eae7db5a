import { describe, expect, it } from 'vitest';
import type { Evaluation, Program } from '../conformance/evaluate.ts';
import { compare } from '../fuzz/compare.ts';
import { FAMILIES, randomProgram } from '../fuzz/families.ts';
import { signatureOf } from '../fuzz/finding.ts';
import { checkAlone, fuzz } from '../fuzz/fuzz.ts';
import { HINTS } from '../fuzz/hints.ts';
import { goString } from '../fuzz/literals.ts';
import { Random } from '../fuzz/random.ts';
import { shrink } from '../fuzz/shrink.ts';
import { all } from '../fuzz/vocabulary.ts';
import { parse } from '../src/template.ts';
import { toBytes } from '../src/value/text.ts';

describe('random templates', () => {
  it.each(FAMILIES)(
    'of the family %s throw only a TemplateError, respect limits, give the same result twice',
    async (family) => {
      const { findings, cases, outputs } = await fuzz({ seed: 7, family, cases: 100 });
      expect(findings).toEqual([]);
      expect(cases).toBe(100);
      expect(outputs).toBeGreaterThan(cases / 20);
    },
  );

  it('are findings if they crash, write too much or differ the second time', () => {
    const program: Program = { name: 'custom', builtin: true, template: 'x' };
    const signatures = (evaluation: Evaluation) =>
      [...checkAlone(program, evaluation)].map(({ signature }) => signature);
    const output = (text: string): Evaluation => ({ kind: 'output', bytes: new TextEncoder().encode(text) });
    expect(signatures(output('x'))).toEqual([]);
    expect(signatures(output('y'))).toEqual(['not the same twice']);
    expect(signatures(output('x'.repeat(1 << 20)))).toEqual([
      'more output than allowed',
      'not the same twice',
    ]);
    expect(signatures({ kind: 'crash', error: 'TypeError' })).toEqual(['crash', 'not the same twice']);
  });

  it('use all functions', async () => {
    const { functions } = await fuzz({ seed: 7, family: 'sprig', cases: 2000 });
    expect(all.names.filter((name) => !functions.has(name))).toEqual([]);
  });

  it('are the same for the same seed', () => {
    const made = () => randomProgram(new Random(3, 5), 'exec');
    expect(made()).toEqual(made());
    expect(randomProgram(new Random(3, 6), 'exec')).not.toEqual(made());
  });

  it('have hints only for existing functions', () => {
    expect(Object.keys(HINTS).filter((name) => all.find(name) === undefined)).toEqual([]);
  });

  it('have constants that evaluate to the right text', () => {
    for (const text of ['a"\\\n\t`', '\udcff\udc80', '😀é\ufeff\u2028', '\0\x7f'])
      expect(parse('x', `{{${goString(text)}}}`).executeBytes()).toEqual(toBytes(text));
  });
});

describe('a difference', () => {
  const bytes = (text: string) => ({ kind: 'output', bytes: new TextEncoder().encode(text) }) as const;
  const error = (text: string) => ({ kind: 'error', error: text, stage: 'exec', limited: false }) as const;

  it('is in output or error', () => {
    expect(compare(bytes('a'), bytes('a'))).toBe('same');
    expect(compare(bytes('a'), bytes('b'))).toEqual({ sort: 'output / output' });
    expect(compare(error('template: x:1:2: executing "x" at <y>: no "z" 12'), bytes('b'))).toEqual({
      sort: 'no "" 0 / output',
    });
    expect(compare({ kind: 'crash', error: 'TypeError: no\n  at x' }, bytes('b'))).toEqual({
      sort: 'crash TypeError: no',
    });
  });

  it('is ignored in addresses, and if an engine reached a limit', () => {
    expect(compare(bytes('p 0xc000012345'), bytes('p 0xc00041c1e0'))).toBe('same');
    expect(compare({ ...error('too much'), limited: true }, bytes('b'))).toBe('skipped');
    expect(compare(bytes('a'), { kind: 'error', error: 'time', stage: 'limit' })).toBe('skipped');
  });

  it('is shrunk as far as possible', async () => {
    const program: Program = {
      name: 'my name',
      builtin: false,
      missingkey: 'zero',
      template:
        'text {{if true}}{{$x := (list 1 "some words" .a) | toJson}}{{upper (printf "%d bad %s" 12 "x")}}{{end}} more',
      data: { kind: 'json', value: { a: [1, 2, { b: 'text' }], c: 7 } },
    };
    const isBad = ({ template, data }: Program) =>
      /upper.*bad/.test(template) && JSON.stringify(data ?? 0).includes('"b"');
    const smallest = await shrink(program, (candidates) => Promise.resolve(candidates.map(isBad)));
    expect(smallest).toEqual({
      name: 'custom',
      builtin: false,
      template: 'upper"bad"',
      data: { kind: 'json', value: { a: [{ b: '' }] } },
    });
  });

  it('has a signature that does not depend on constants', () => {
    expect(signatureOf('{{trunc 5 "upper"}}{{.lower}}{{range $x := list .a}}{{end}}', 'sort')).toBe(
      'list trunc sort',
    );
  });
});
