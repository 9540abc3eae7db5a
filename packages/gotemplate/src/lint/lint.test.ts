import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sprig } from '../sprig/sprig.ts';
import { loadLocation } from '../time/location.ts';
import { TIME } from '../time/time.ts';
import { ANY_MAP, INT32, STRING, STRING_MAP, pointerTo, sliceOf, structType } from '../value/type.ts';
import { lint } from './lint.ts';

const target = structType('sink.TargetInfo', [
  { name: 'Name', type: STRING },
  { name: 'State', type: STRING },
]);
const plan = structType('sink.PlanInfo', [
  { name: 'Name', type: STRING },
  { name: 'Labels', type: STRING_MAP },
]);
const payload = structType('sink.Payload', [
  { name: 'Plan', type: plan },
  { name: 'Event', type: STRING, oneOf: ['Start', 'Success', 'Failure'] },
  {
    name: 'Operation',
    type: STRING,
    oneOf: ['shutdown', 'wakeup', ''],
    instead: { Hibernate: 'shutdown' },
  },
  { name: 'Timestamp', type: TIME },
  { name: 'Targets', type: sliceOf(target) },
  { name: 'TargetExecution', type: pointerTo(target), presentWhen: { field: 'Event', is: 'Success' } },
  { name: 'RetryCount', type: INT32 },
  { name: 'Extra', type: ANY_MAP },
]);

/** The findings in the format of a compiler. */
const lines = (text: string): string[] =>
  lint(text, payload, { funcs: sprig() }).map(
    ({ line, column, severity, message }) => `${line}:${column ?? '-'} ${severity}: ${message}`,
  );

describe('lint', () => {
  it.each([
    ['{{ .Plan.Name }} {{ .Event | upper }} {{ .Timestamp.Format "2006" }} {{ .Timestamp.Unix }}'],
    ['{{ range $i, $t := .Targets }}{{ $i }}{{ .Name }}{{ $t.State }}{{ $.Plan.Name }}{{ end }}'],
    ['{{ with .TargetExecution }}{{ .Name }} {{ $.TargetExecution.State }}{{ end }}'],
    [
      '{{ if and .TargetExecution (eq .TargetExecution.State "Failed") }}{{ .TargetExecution.Name }}{{ end }}',
    ],
    ['{{ if ne .TargetExecution nil }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if eq .Event "Success" }}{{ range .Targets }}{{ $.TargetExecution.Name }}{{ end }}{{ end }}'],
    ['{{ if and (eq "Success" $.Event) .RetryCount }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if not .TargetExecution }}x{{ else }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if not (empty .TargetExecution) }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if empty .TargetExecution }}{{ else }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if or (not .TargetExecution) .RetryCount }}{{ else }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if eq .TargetExecution nil }}{{ else }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ if ne .Event "Success" }}{{ else }}{{ .TargetExecution.Name }}{{ end }}'],
    ['{{ (first .Targets).Name }}{{ index .Plan.Labels .Event }}'],
    ['{{ $t := .TargetExecution }}{{ if $t }}{{ $t.Name }}{{ end }}'],
    [
      '{{ .Extra.anything.at.all }} {{ (dict "a" 1).a }} {{ (index .Targets 0).Name }} {{ index .Plan.Labels "x" | quote }}',
    ],
    ['{{ if eq .Operation "shutdown" "wakeup" }}{{ end }}{{ if gt .RetryCount 3 }}{{ end }}'],
    ['{{ define "line" }}{{ .Name }}{{ end }}{{ range .Targets }}{{ template "line" . }}{{ end }}'],
    [
      '{{ define "tree" }}{{ range .Targets }}x{{ end }}{{ template "tree" . }}{{ end }}{{ template "tree" . }}',
    ],
    ['{{ range until (int .RetryCount) }}{{ . }}{{ else }}{{ .Event }}{{ end }}'],
    ['{{ $x := 1 }}{{ $x = "now a text" }}{{ $x | upper }}'],
    ['{{ range $key, $value := .Plan.Labels }}{{ upper $key }}{{ upper $value }}{{ end }}'],
  ])('finds nothing in %s', (text) => {
    expect(lines(text)).toEqual([]);
  });

  it.each([
    ['{{ .PlanName }}', '1:3 error: sink.Payload has no field PlanName; did you mean .Plan.Name?'],
    ['a\n b {{ .plan.name }}', '2:6 error: sink.Payload has no field plan; did you mean .Plan.Name?'],
    ['{{ .Plan.Nam }}', '1:8 error: sink.PlanInfo has no field Nam; did you mean .Plan.Name?'],
    ['{{ $.Evnt }}', '1:4 error: sink.Payload has no field Evnt; did you mean $.Event?'],
    ['{{ .Zebra }}', '1:3 error: sink.Payload has no field Zebra'],
    [
      '{{ range .Targets }}{{ .Plan.Name }}{{ end }}',
      '1:23 error: sink.TargetInfo has no field Plan; did you mean $.Plan.Name?',
    ],
    [
      '{{ range .Targets }}{{ .Stat }}{{ end }}',
      '1:23 error: sink.TargetInfo has no field Stat; did you mean .State?',
    ],
    ['{{ .Event.Name }}', '1:9 error: string has no fields, so Name does not exist'],
    ['{{ .Plan.Labels.x.y }}', '1:17 error: string has no fields, so y does not exist'],
    ['{{ $.Plan.Name.x }}', '1:14 error: string has no fields, so x does not exist'],
    ['{{ (.Plan).Labels.x.y }}', '1:19 error: string has no fields, so y does not exist'],
    ['{{ (first .Targets).Zebra }}', '1:19 error: sink.TargetInfo has no field Zebra'],
    [
      '{{ (index .Targets 0).Stat }}',
      '1:21 error: sink.TargetInfo has no field Stat; did you mean (index .Targets 0).State?',
    ],
    [
      '{{ .Timestamp.Formt "2006" }}',
      '1:13 error: time.Time has no field Formt; did you mean .Timestamp.Format?',
    ],
    ['{{ (index .Targets 0).Nope }}', '1:21 error: sink.TargetInfo has no field Nope'],
  ])('reports an unknown field: %s', (text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });

  it.each([
    ['{{ uper .Event }}', '1:3 error: function uper is not defined; did you mean upper?'],
    ['{{ .Event | toUpper }}', '1:12 error: function toUpper is not defined; did you mean upper?'],
    ['{{ define "never called" }}{{ qqq }}{{ end }}x', '1:30 error: function qqq is not defined'],
    [
      '{{ template "lin" . }}{{ define "line" }}{{ end }}',
      '1:12 error: template "lin" is not defined; did you mean "line"?',
    ],
  ])('reports an unknown name: %s', (text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });

  it('says why a function does not exist here', () => {
    expect(lines('{{ env "HOME" }}')).toEqual([
      expect.stringMatching(/^1:3 error: function env is not defined: ./),
    ]);
  });

  it.each([
    [
      '{{ if eq .Operation "Hibernate" }}{{ end }}',
      '1:20 warning: Operation is "shutdown" or "wakeup", not "Hibernate"; did you mean "shutdown"?',
    ],
    [
      '{{ if ne "Started" $.Event }}{{ end }}',
      '1:9 warning: Event is "Start" or "Success" or "Failure", not "Started"; did you mean "Start"?',
    ],
    [
      '{{ if "Hibernate" | eq .Operation }}{{ end }}',
      '1:6 warning: Operation is "shutdown" or "wakeup", not "Hibernate"; did you mean "shutdown"?',
    ],
  ])('reports a comparison that is never true: %s', (text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });

  it.each([
    ['{{ eq .RetryCount "3" }}', "1:3 error: eq can't compare int32 and string; did you mean 3?"],
    ['{{ lt .RetryCount 1.5 }}', "1:3 error: lt can't compare int32 and float64"],
    [
      '{{ until .RetryCount }}',
      '1:9 error: until wants int, but .RetryCount is of type int32 (convert it: int)',
    ],
    [
      '{{ .RetryCount | until }}',
      '1:3 error: until wants int, but the piped value is of type int32 (convert it: int)',
    ],
    ['{{ index .Plan.Labels 3 }}', '1:3 error: a key of map[string]string is a string, not of type int'],
    ['{{ upper 5 }}', '1:9 error: upper wants string, not 5'],
    ['{{ upper }}', '1:3 error: upper wants 1 argument, not 0'],
    ['{{ default }}', '1:3 error: default wants at least 1 argument, not 0'],
    ['{{ .Timestamp.Format }}', '1:13 error: Format wants 1 argument, not 0'],
    ['{{ range .Event }}{{ end }}', "1:9 error: range can't iterate over .Event, which is of type string"],
  ])('reports a type that is refused: %s', (text, expected) => {
    expect(lines(text)).toEqual([expected]);
  });

  it.each([
    '{{ .TargetExecution.Name }}',
    '{{ if .Event }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if eq .Event "Start" }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if or .TargetExecution .RetryCount }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if not .TargetExecution }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if and .TargetExecution .Event }}{{ else }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if ne .Event "Success" }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ if eq .Event "Start" "Success" }}{{ .TargetExecution.Name }}{{ end }}',
    '{{ with .TargetExecution }}{{ else }}{{ .TargetExecution.Name }}{{ end }}',
  ])('reports a pointer that may be nil: %s', (text) => {
    expect(lines(text)).toEqual([
      expect.stringMatching(
        /^1:\d+ warning: \.TargetExecution\.Name fails if TargetExecution is nil; check it first: \{\{ with \.TargetExecution \}\}$/,
      ),
    ]);
  });

  it('reports a syntax error like the parser', () => {
    expect(lines('a\n{{ if }}')).toEqual(['2:- error: missing value for if']);
  });

  it.each([
    ['parentheses', `{{ ${'('.repeat(9000)}.Nope${')'.repeat(9000)} }}`],
    ['else', `{{ .Nope }}{{ if .Event }}${'{{ else if .Event }}x'.repeat(20_000)}{{ end }}`],
  ])('does not crash on deeply nested %s', (_, text) => {
    expect(lines(text)[0]).toMatch(/Nope|too deep or too large to check/);
  });

  it('knows break and continue', () => {
    expect(
      lines('{{ range .Targets }}{{ if .Name }}{{ break }}{{ else }}{{ continue }}{{ end }}{{ end }}'),
    ).toEqual([]);
    expect(lines('{{ break }}')).toEqual(['1:- error: {{break}} outside {{range}}']);
  });

  it('handles wide templates and very many errors', () => {
    expect(lines(`{{ print ${'.Event '.repeat(150_000)}}}`)).toEqual([]);
    expect(lines('{{ foo }}{{ .Foo }}'.repeat(20_000))).toHaveLength(100);
    const variables = Array.from({ length: 20_000 }, (_, i) => `{{ $x${i} := 1 }}`).join('');
    expect(lines(variables)).toEqual(['1:- warning: too deep or too large to check']);
  });

  it('checks a definition for each type it is called with, once', () => {
    const text =
      '{{ define "d" }}{{ .Stat }}{{ end }}{{ range .Targets }}{{ template "d" . }}{{ template "d" . }}{{ end }}';
    expect(lines(text)).toEqual(['1:19 error: sink.TargetInfo has no field Stat; did you mean .State?']);
  });

  it('accepts other delimiters', () => {
    expect(lint('[[ .Evnt ]]', payload, { delims: ['[[', ']]'] })).toHaveLength(1);
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{{if ',
      '{{with ',
      '{{range ',
      '{{end}}',
      '{{else}}',
      '.Plan',
      '.Name',
      '.TargetExecution',
      '$x',
      ':=',
      '=',
      '|',
      ' ',
      '(',
      ')',
      'eq ',
      '"Hibernate"',
      'index ',
      '{{template "a" ',
      '{{define "a"}}',
      '1',
      'nil',
      'until ',
      '.constructor',
      '.__proto__',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const finding of lint(pieces.join(''), payload, { funcs: sprig() }))
          expect(finding.line).toBeGreaterThan(0);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });
});

describe('valid, but probably not what the author means', () => {
  it.each<[template: string, ...findings: string[]]>([
    [
      '{{ .Timestamp.Format "2006-01-02T15:04:05Z07:00" }}{{ date "15:04" .Timestamp }}{{ date "" .Timestamp }}',
    ],
    ['{{ dateInZone "Mon" .Timestamp "Europe/Paris" }}{{ dateInZone "Mon" .Timestamp "Local" }}'],
    ['{{ define "a" }}x{{ end }}{{ template "a" . }}'],
    ['{{ define "a" }}x{{ end }}{{ if .Event }}{{ template "a" . }}{{ end }}'],
    ['{{ define "a" }}x{{ end }}y'],
    ['{{ define "template" }}x{{ end }}'],
    [' {{ $x := 1 }}'],
    ['{{ .Timestamp.Format .Plan.Name }} $HOME $5 {%} % {{ "${x}" }} #1 $(date) 100% AND 50% %ABC%C3%A4 %20'],
    ['#{PLAN}', '1:0 warning: #{PLAN} is not replaced, and is shown as it is; Go writes {{ .Plan.Name }}'],
    ['$(PLAN)', '1:0 warning: $(PLAN) is not replaced, and is shown as it is; Go writes {{ .Plan.Name }}'],
    ['%PLAN%', '1:0 warning: %PLAN% is not replaced, and is shown as it is; Go writes {{ .Plan.Name }}'],
    [
      '{{ .Timestamp.Format "YYYY-MM-DD" }}',
      '1:21 warning: "YYYY-MM-DD" is not a layout of Go: it shows each time as "YYYY-MM-DD"; write the reference time Mon Jan 2 15:04:05 MST 2006; did you mean "2006-01-02"?',
    ],
    [
      '{{ date "%Y-%m-%d %H:%M" .Timestamp }}',
      '1:8 warning: "%Y-%m-%d %H:%M" is not a layout of Go: it shows each time as "%Y-%m-%d %H:%M"; write the reference time Mon Jan 2 15:04:05 MST 2006; did you mean "2006-01-02 15:04"?',
    ],
    [
      '{{ .Timestamp | date "today" }}',
      '1:21 warning: "today" is not a layout of Go: it shows each time as "today"; write the reference time Mon Jan 2 15:04:05 MST 2006',
    ],
    [
      '{{ date "15:05" .Timestamp }}',
      '1:8 warning: "15:05" is not a layout of Go: it shows 2026-11-27 21:48:39 as "21:39"; write the reference time Mon Jan 2 15:04:05 MST 2006; did you mean "15:04"?',
    ],
    [
      '{{ "2026-11-26" | toDate "yyyy-MM-dd" }}',
      '1:25 warning: "yyyy-MM-dd" is not a layout of Go: it shows each time as "yyyy-MM-dd"; write the reference time Mon Jan 2 15:04:05 MST 2006; did you mean "2006-01-02"?',
    ],
    [
      '{{ dateInZone "Mon" .Timestamp "Europe/Pariss" }}',
      '1:31 warning: there is no time zone "Europe/Pariss": UTC is used; did you mean "Europe/Paris"?',
    ],
    [
      '{{ htmlDateInZone .Timestamp "CEST" }}',
      '1:29 warning: there is no time zone "CEST": UTC is used; did you mean "Europe/Berlin"?',
    ],
    [
      '{{ define "a" }}x{{ end }}\n{{- $x := 1 }} {{/* c */}}\n{{ define "b" }}{{ template "a" . }}{{ end }}',
      '1:16 warning: nothing is shown: all of it is in definitions; add {{ template "a" . }} at the end',
    ],
    [
      'a\n{% if x %}',
      '2:0 warning: {% if is syntax of Jinja, and is shown as it is; Go writes {{ if … }}, {{ range … }}, {{ end }}',
    ],
    [
      'Plan ${PLAN} {{ .Plan.Name }}',
      '1:5 warning: ${PLAN} is not replaced, and is shown as it is; Go writes {{ .Plan.Name }}',
    ],
    ['{{{ .Plan.Name }}}', '1:- error: unexpected "{" in command; Go writes two braces: {{ … }}'],
  ])('%s', (template, ...findings) => {
    expect(lines(template)).toEqual(findings);
  });

  it.each([
    ['DD.MM.YYYY HH:mm:ss', '02.01.2006 15:04:05'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2006-01-02T15:04:05Z07:00'],
    ['HH:MM', '15:04'],
    ['ddd, D MMM YY', 'Mon, D Jan 06'],
    ['%d %b %Y, %I:%M %p', '02 Jan 2006, 03:04 PM'],
    ['2023-10-25', '2006-01-02'],
    ['2006-10-25', '2006-01-02'],
    ['2006-02-01', '2006-01-02'],
    ['2023-10-25T14:30:00Z', '2006-01-02T15:04:05Z'],
    ['2023-10-25 14:30:00+02:00', '2006-01-02 15:04:05-07:00'],
    ['31.12.2024', '02.01.2006'],
    ['31.12.24 23:59', '02.01.06 15:04'],
    ['25/10/2023', '02/01/2006'],
    ['10/25/2023', '01/02/2006'],
    ['01.01.2006', '02.01.2006'],
    ['15:05', '15:04'],
    ['15:30:00', '15:04:05'],
    ['2006-01-02 14:30', '2006-01-02 15:04'],
    ['15:04:06', '15:04:05'],
    ['3:04 AM', '3:04 PM'],
    ['9:30 am', '3:04 pm'],
    ['Oct 25, 2023', 'Jan 2, 2006'],
    ['Tuesday, 31 December 2024', 'Monday, 2 January 2006'],
    ['2024', '2006'],
    ['ISO8601', '2006-01-02T15:04:05Z07:00'],
    ['ISO-8601', '2006-01-02T15:04:05Z07:00'],
    ['RFC3339', '2006-01-02T15:04:05Z07:00'],
    ['RFC 3339', '2006-01-02T15:04:05Z07:00'],
    ['time.RFC1123', 'Mon, 02 Jan 2006 15:04:05 MST'],
    ['Kitchen', '3:04PM'],
  ])('the layout %s becomes %s', (layout, meant) => {
    const [found] = lint(`{{ date ${JSON.stringify(layout)} .Timestamp }}`, payload, { funcs: sprig() });
    expect(found?.suggestion).toBe(JSON.stringify(meant));
  });

  it.each([
    ...[
      '2006-01-02',
      '15:04',
      'Jan _2',
      '02.01.06',
      '2006-01-02T15:04:05Z07:00',
      'Week of Jan 2',
      '2006',
      '06',
    ],
    ...['Mon, 02 Jan 2006 15:04:05 -0700', 'Mon Jan _2 15:04:05 2006', '3:04PM', '03:04:05 pm', '15h04m05s'],
    ...[
      '20060102150405',
      '20060102T1504',
      '15:04:05.000',
      '15:04:05,999999999',
      '2/1/2006',
      '1/2/06',
      '2.1.2006',
    ],
    ...[
      '02-Jan-06',
      'Monday, January 2',
      '2006-002',
      '15:04 UTC',
      'Jan 2 at 15:04 in May',
      '__2',
      '05.000',
      '4:5',
    ],
    ...[
      '2006-01-02T15:04:05-07:00',
      '15:04:05 -07',
      '060102 150405',
      'Z070000',
      'Night 7, 15:04',
      '15.04 Uhr',
    ],
  ])('the layout %s is one of Go', (layout) => {
    expect(lines(`{{ date ${JSON.stringify(layout)} .Timestamp }}`)).toEqual([]);
  });

  it('a layout of many equal letters takes no long time', () => {
    for (const letter of 'YyMdESDHhmsTZ')
      expect(lines(`{{ date "15:04 ${letter.repeat(190)}x" .Timestamp }}`)).toEqual([]);
  });

  it.each([
    ['CEST', 'Europe/Berlin'],
    ['BST', 'Europe/London'],
    ['PDT', 'America/Los_Angeles'],
    ['AEDT', 'Australia/Sydney'],
    ['Europe/Pariss', 'Europe/Paris'],
    ['europe/berlin', 'Europe/Berlin'],
  ])('the zone %s becomes %s', (zone, meant) => {
    const [found] = lint(`{{ htmlDateInZone .Timestamp "${zone}" }}`, payload, { funcs: sprig() });
    expect(found?.suggestion).toBe(JSON.stringify(meant));
  });

  it.each(['XST', 'UTC+2', 'GMT-5'])('there is no suggestion for the zone %s', (zone) => {
    const [found] = lint(`{{ htmlDateInZone .Timestamp "${zone}" }}`, payload, { funcs: sprig() });
    expect(found).toMatchObject({ rule: 'zone', suggestion: undefined });
    expect(found?.message).toContain('UTC is used; write a name of the IANA database such as Europe/Paris');
  });

  it.each([
    ['UTC+2', 'Etc/GMT-2'],
    ['gmt-05:00', 'Etc/GMT+5'],
    ['+0200', 'Etc/GMT-2'],
    ['UTC+05:30', undefined],
    ['UTC+20', undefined],
  ])('for the offset %s it names %s', (zone, fixed) => {
    const [found] = lint(`{{ htmlDateInZone .Timestamp "${zone}" }}`, payload, { funcs: sprig() });
    expect(/, or (\S+) for a fixed offset \(its sign is reversed\)/.exec(found?.message ?? '')?.[1]).toBe(
      fixed,
    );
    if (fixed !== undefined) expect(loadLocation(fixed)).toBeDefined();
  });
});
