import { describe, expect, it } from 'vitest';
import { proposalsAt } from './complete.ts';

/** The first words that are proposed at the place of the bar. */
function at(marked: string): string[] | undefined {
  const place = marked.indexOf('¦');
  return proposalsAt(marked.replace('¦', ''), place)?.all.map(({ label }) => label);
}

describe('completion', () => {
  it.each([
    ['¦', undefined],
    ['{{ .Plan }}¦', undefined],
    ['{{/* .Pl¦', undefined],
    ['{{ printf "a .¦', undefined],
    ['{{ (index .Targets 0).¦', undefined],
    ['{{ .Plan.Labels.¦', undefined],
    ['{{ 12¦', undefined],
  ])('has nothing at %s', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  const PLAN = ['Name', 'Namespace', 'Labels', 'Annotations'];
  const TARGET = ['Name', 'Executor', 'State', 'Message', 'ErrorMessage', 'Connector'];
  it.each([
    ['{{ .Plan.¦ }}', PLAN],
    ['{{ .Plan.Na¦ }}', PLAN],
    ['{{ $.Plan.¦', PLAN],
    ['{{ with .Plan }}{{ .¦', PLAN],
    ['{{ with $p := .Plan }}{{ $p.¦', PLAN],
    ['{{ $p := .Plan }}{{ $p.¦', PLAN],
    ['{{ range .Targets }}{{ .¦', TARGET],
    ['{{ range $i, $t := .Targets }}{{ $t.¦', TARGET],
    ['{{- range .Targets -}}{{ if true }}x{{ else }}{{ .¦', TARGET],
    ['{{ with .TargetExecution }}{{ .¦', TARGET],
    ['{{ range .Targets }}x{{ end }}{{ with .Plan }}{{ .¦', PLAN],
    ['{{ if eq .Operation "¦', ['shutdown', 'wakeup']],
    ['{{ if eq .Operation "x" "sh¦', ['shutdown', 'wakeup']],
    ['{{ range .Targets }}{{ if ne .State `¦', ['Pending', 'Running', 'Completed', 'Failed', 'Aborted']],
    ['{{ $a := .Plan }}{{ $¦', ['$', '$a']],
  ])('knows what can stand at %s', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it('has the fields of the dot, outside of loops those of the payload', () => {
    for (const text of ['{{ .¦', '{{ range .Targets }}{{ else }}{{ .¦', '{{ range .Targets }}{{ $.¦'])
      expect(at(text)).toContain('TargetExecution');
    expect(at('{{ .Timestamp.¦')).toEqual(expect.arrayContaining(['Format', 'Unix', 'Weekday']));
  });

  it('has functions and words of the language, with their documentation', () => {
    const all = proposalsAt('{{ .Event | ', 12)?.all ?? [];
    const found = (label: string) => all.find((each) => each.label === label);
    expect(found('escapeSlack')).toMatchObject({ kind: 'function', detail: '(string) string' });
    expect(found('escapeSlack')?.help).toContain('cannot mention anyone');
    expect(found('range')).toMatchObject({ kind: 'keyword' });
    expect(found('.Plan')).toMatchObject({ kind: 'field', detail: 'PlanInfo' });
  });
});
