import { TemplateError } from '@hnotif/gotemplate';
import { describe, expect, it } from 'vitest';
import { marksOf, markOfError } from './marks.ts';

/** The marked part of a text, and the text with the fix. */
function look(text: string): { marked: string; fixed: string | undefined } {
  const [mark] = marksOf(text);
  if (mark === undefined) return { marked: '', fixed: undefined };
  const { from, to, fix } = mark;
  return {
    marked: text.slice(from, to),
    fixed: fix && text.slice(0, fix.from) + fix.insert + text.slice(fix.to),
  };
}

describe('a mistake', () => {
  it.each([
    ['{{ .PlanName }}', '.PlanName', '{{ .Plan.Name }}'],
    ['{{ .Plan.Nme | lower }}', '.Nme', '{{ .Plan.Name | lower }}'],
    ['{{ .plan.name }}', '.plan.name', '{{ .Plan.Name }}'],
    ['{{ .Pln.Name }}', '.Pln.Name', '{{ .Plan.Name }}'],
    ['é😀\n😀 {{ .PlanName }}', '.PlanName', 'é😀\n😀 {{ .Plan.Name }}'],
    ['{{ lowr .Event }}', 'lowr', '{{ lower .Event }}'],
    ['{{ .Event | lowr }}', 'lowr', '{{ .Event | lower }}'],
    [
      '{{ if eq .Operation "Hibernate" }}x{{ end }}',
      '"Hibernate"',
      '{{ if eq .Operation "shutdown" }}x{{ end }}',
    ],
    [
      '{{ if eq .Operation `Hibernate` }}x{{ end }}',
      '`Hibernate`',
      '{{ if eq .Operation "shutdown" }}x{{ end }}',
    ],
    ['{{ range .Targets }}{{ .Event }}{{ end }}', '.Event', '{{ range .Targets }}{{ $.Event }}{{ end }}'],
    ['{{ $x := .Plan }}{{ $x.Nme }}', '.Nme', '{{ $x := .Plan }}{{ $x.Name }}'],
    ['{{ (index .Targets 0).Nme }}', '.Nme', '{{ (index .Targets 0).Name }}'],
    ['{{ .Timestamp.Formt "15:04" }}', '.Formt', '{{ .Timestamp.Format "15:04" }}'],
  ])('%s', (text, marked, fixed) => {
    expect(look(text)).toEqual({ marked, fixed });
    expect(marksOf(fixed)).toEqual([]);
  });

  it.each([
    ['{{ .TargetExecution.Name }}', '.Name'],
    ['{{ eq .RetryCount "x" }}', 'eq'],
    ['{{ template "x" }}', '"x"'],
    ['a\n  {{ if', '{{ if'],
    ['{{ end }}', '{{ end }}'],
  ])('%s has no fix', (text, marked) => {
    expect(look(text)).toEqual({ marked, fixed: undefined });
  });

  it('at the end of a text marks a character that is there', () => {
    for (const text of ['{{', '{{\n', 'a\n\n{{ if x', '{{ . |']) {
      for (const { from, to } of marksOf(text)) {
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(text.length);
      }
      expect(marksOf(text)).not.toEqual([]);
    }
  });
});

it('what fails with an event is marked where it failed', () => {
  const text = 'a\n{{ index .Targets 7 }}';
  const details = {
    stage: 'exec',
    message: 'm',
    description: 'index out of range: 7',
    line: 2,
    column: 3,
  } as const;
  expect(markOfError(text, new TemplateError(details))).toEqual({
    ...{ from: 5, to: 10, severity: 'error' },
    message: 'with this event: index out of range: 7',
  });
  expect(markOfError(text, new Error('other'))).toBeUndefined();
});
