import { TemplateError } from '@hnotif/gotemplate';
import { expect, it } from 'vitest';
import { Compiled, exampleSource, faultOfError } from '@hnotif/core/render';
import { toPlain } from './job.ts';
import { run } from './run.ts';

const template = { name: 'chat/template.gotpl', text: '' };

it('a description is cut, and is one line', () => {
  const text = `{{ fail "${'no\\n'.repeat(500)}" }}`;
  const source = toPlain(exampleSource('Start', 'teamchat', 'shutdown'));
  const rendered = run({ id: '1', template: { ...template, text }, source }, new Compiled(), () => {});
  expect(rendered).toMatchObject({ ok: false, reason: 'TemplateExecutionFailed' });
  const message = rendered.ok ? '' : rendered.message;
  expect(message).toMatch(
    /^template chat\/template\.gotpl, line 1, column 4: error calling fail: no no .*… \(\d+ more characters\)$/,
  );
  expect(message.length).toBeLessThan(400);
});

it.each([
  ['exec', 'time', 'TemplateTimedOut'],
  ['exec', 'steps', 'TemplateTooLarge'],
  ['exec', 'memory', 'TemplateTooLarge'],
  ['exec', 'output', 'TemplateTooLarge'],
  ['exec', 'depth', 'TemplateTooLarge'],
  ['parse', 'source', 'TemplateTooLarge'],
  ['parse', undefined, 'TemplateParseFailed'],
  ['exec', undefined, 'TemplateExecutionFailed'],
] as const)('of the stage %s an error with the limit %s is %s', (stage, limit, reason) => {
  const error = new TemplateError({ stage, message: 'm', description: 'd', ...(limit && { limit }) });
  expect(faultOfError(template, error)).toEqual({
    ok: false,
    reason,
    message: 'template chat/template.gotpl: d',
  });
});

it.each([
  [new RangeError('Invalid string length'), 'RangeError: Invalid string length'],
  ['just a text', 'just a text'],
  [undefined, 'undefined'],
])('an error that is not from a template is a fault of the worker: %s', (error, shown) => {
  expect(faultOfError(template, error)).toEqual({
    ok: false,
    reason: 'TemplateWorkerFailed',
    message: `template chat/template.gotpl: ${shown}`,
  });
});

it('data that cannot be read is a fault of the worker, too', () => {
  const source = toPlain(exampleSource('Start', 'teamchat', 'shutdown'));
  const broken = { ...source, event: { ...source.event, phase: 7 as unknown as string } };
  expect(run({ id: '1', template, source: broken }, new Compiled(), () => {})).toMatchObject({
    reason: 'TemplateWorkerFailed',
    message: expect.stringContaining('Phase') as string,
  });
});
