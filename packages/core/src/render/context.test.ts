import { lint, parse } from '@hnotif/gotemplate';
import { describe, expect, it } from 'vitest';
import { EVENT_KINDS, type EventKind } from '../resources/kinds.ts';
import { templateContext } from './context.ts';
import { exampleSource } from './example.ts';
import { functions } from './functions.ts';
import { PAYLOAD } from './types.ts';

const source = (kind: EventKind) => exampleSource(kind, 'teamchat', 'shutdown');

function render(text: string, kind: EventKind = 'Failure'): string {
  return parse('t', text, { funcs: functions }).execute(templateContext(source(kind)));
}

describe('the context of a template', () => {
  it.each([
    ['{{ .Event }}', 'Failure'],
    ['{{ .Timestamp.Format "2006-01-02 15:04:05 MST" }}', '2026-03-02 20:00:00 UTC'],
    ['{{ .Phase }} {{ .PreviousPhase }}', 'Error Hibernating'],
    ['{{ .Operation }}', 'shutdown'],
    ['{{ .Plan }} {{ .Plan.Name }} {{ .Plan.Namespace }}', 'shop-eu/web-shop web-shop shop-eu'],
    ['{{ index .Plan.Labels "app.kubernetes.io/name" }} {{ .Plan.Labels.env }}', 'web-shop staging'],
    ['{{ .Plan.Annotations.owner }}', 'team-shop'],
    ['{{ .CycleID }}', '8c1e-4f'],
    [
      '{{ range .Targets }}{{ .Name }}={{ .State }} {{ end }}',
      'orders-db=Completed app-nodes=Completed build-machines=Failed ',
    ],
    [
      '{{ with index .Targets 0 }}{{ .Executor }} {{ .Message }} {{ .ErrorMessage | quote }}{{ end }}',
      'rds stopped ""',
    ],
    ['{{ with index .Targets 2 }}{{ eq .ErrorMessage .Message }}{{ end }}', 'true'],
    [
      '{{ with (index .Targets 1).Connector }}{{ .Kind }} {{ .Name }} {{ .Provider }} {{ .AccountID }} {{ .ProjectID | quote }} {{ .Region }} {{ .ClusterName }}{{ end }}',
      'K8SCluster eks-staging aws 210987654321 "" eu-central-1 staging-blue',
    ],
    [
      '{{ .ErrorMessage | trunc 14 }} {{ .RetryCount }} {{ printf "%T" .RetryCount }}',
      'build-machines 2 int',
    ],
    ['{{ repeat .RetryCount "#" }} {{ until .RetryCount }}', '## [0 1]'],
    [
      '{{ upper "a" }} {{ lower "B" }} {{ "" | default "c" }} {{ list 1 2 | toJson }} {{ printf "%03d" 7 }} {{ date "2006" .Timestamp }}',
      'A b c [1,2] 007 2026',
    ],
    ['{{ .SinkName }} {{ .SinkType }}', 'team-channel teamchat'],
    ['{{ escapeHTML "<" }}{{ escapeMarkdown "." }}', '&lt;\\.'],
  ])('has %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each(EVENT_KINDS)('shows fields of one kind of event on %s only if they belong to it', (kind) => {
    expect(render('{{ .ErrorMessage | empty }} {{ .RetryCount }}', kind)).toBe(
      kind === 'Failure' || kind === 'Recovery' ? 'false 2' : 'true 0',
    );
    expect(render('{{ with .TargetExecution }}{{ .Name }}{{ else }}nil{{ end }}', kind)).toBe(
      kind === 'ExecutionProgress' ? 'orders-db' : 'nil',
    );
    expect(render('{{ .PreviousPhase | empty }}', kind)).toBe(
      String(kind === 'Start' || kind === 'ExecutionProgress'),
    );
    expect(render('{{ len .Targets }}', kind)).toBe('3');
  });

  it('hides fields that belong to another kind of event', () => {
    const { event, ...rest } = source('Start');
    const stale = {
      ...event,
      errorMessage: 'old',
      retryCount: 9,
      previousPhase: 'Error',
      targetExecution: event.targets[0],
    };
    const text = '{{ .ErrorMessage }}|{{ .RetryCount }}|{{ .PreviousPhase }}|{{ .TargetExecution }}';
    expect(parse('t', text).execute(templateContext({ event: stale, ...rest }))).toBe('|0||<nil>');
  });

  it('is the one that lint uses', () => {
    const found = lint('{{ .PlanName }}{{ if eq .Operation "Hibernate" }}{{ end }}', PAYLOAD, {
      funcs: functions,
    });
    expect(found.map(({ suggestion }) => suggestion)).toEqual(['.Plan.Name', '"shutdown"']);
  });
});
