import { describe, expect, it } from 'vitest';
import { loadChart } from './chart.ts';
import { type RenderOptions, renderChart } from './render.ts';

/** A chart of these files, besides its Chart.yaml. */
function chartOf(files: Readonly<Record<string, string>>) {
  const all = { 'Chart.yaml': 'name: shop\nversion: 1.2.3\nappVersion: 4.5\napiVersion: v2', ...files };
  return loadChart(new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)])));
}

/** What a template becomes, as the only data of a config map. */
function rendered(
  template: string,
  files: Readonly<Record<string, string>> = {},
  options: Partial<RenderOptions> = {},
): string {
  const text = `{{- define "it" -}}${template}{{- end -}}
apiVersion: v1
kind: ConfigMap
metadata: { name: it }
data: { it: {{ include "it" . | toJson }} }`;
  const chart = chartOf({ 'templates/it.yaml': text, ...files });
  const [file] = renderChart(chart, { name: 'my', namespace: 'there', ...options }).files;
  return (file?.docs[0]?.data as { it: string }).it;
}

describe('the built-in objects', () => {
  it.each([
    [
      '{{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.Service }} {{ .Release.IsInstall }}',
      'my there Helm true',
    ],
    ['{{ .Chart.Name }} {{ .Chart.Version }} {{ .Chart.AppVersion }} {{ .Chart.Type }}', 'shop 1.2.3 4.5 '],
    ['{{ .Template.Name }} {{ .Template.BasePath }}', 'shop/templates/it.yaml shop/templates'],
    ['{{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Minor }}', 'v1.32.0 32'],
    [
      '{{ .Capabilities.APIVersions.Has "policy/v1" }} {{ .Capabilities.APIVersions.Has "a/v1" }}',
      'true false',
    ],
    ['{{ semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version }}', 'true'],
  ])('%s', (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });

  it('say what the caller says of the cluster', () => {
    const capabilities = { kubeVersion: 'v1.29.3', apiVersions: ['a/v1', 'a/v1/Widget'] };
    const template =
      '{{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "a/v1/Widget" }}';
    expect(rendered(template, {}, { capabilities })).toBe('v1.29.3 true');
    expect(() => rendered('', {}, { capabilities: { kubeVersion: '1.29' } })).toThrow(
      /1\.29 is not of the form/,
    );
  });

  it('refuse a field of .Chart that does not exist', () => {
    expect(() => rendered('{{ .Chart.Nmae }}')).toThrow(/can't evaluate field Nmae/);
  });
});

describe('.Files', () => {
  const files = {
    'conf/a.txt': 'one\ntwo\n',
    'conf/deep/b.txt': 'b',
    'c.md': '# {{ c }}',
    'values.yaml': 'x: 1',
  };

  it.each([
    ['{{ .Files.Get "c.md" }}|{{ .Files.Get "none" }}', '# {{ c }}|'],
    [
      '{{ range $path, $bytes := .Files.Glob "conf/*.txt" }}{{ $path }}={{ $bytes | toString | len }}{{ end }}',
      'conf/a.txt=8',
    ],
    ['{{ range $path, $_ := .Files.Glob "conf/**" }}{{ $path }} {{ end }}', 'conf/a.txt conf/deep/b.txt '],
    ['{{ range $path, $_ := .Files.Glob "{c.md,conf/?.txt}" }}{{ $path }} {{ end }}', 'c.md conf/a.txt '],
    ['{{ range $path, $_ := .Files.Glob "conf/[!b].*" }}{{ $path }} {{ end }}', 'conf/a.txt '],
    ['{{ (.Files.Glob "conf/**").AsConfig }}', 'a.txt: |\n  one\n  two\nb.txt: b'],
    ['{{ (.Files.Glob "conf/deep/*").AsSecrets }}', 'b.txt: Yg=='],
    ['{{ range .Files.Lines "conf/a.txt" }}<{{ . }}>{{ end }}', '<one><two>'],
    ['{{ .Files.Get "values.yaml" }}{{ .Files.Get "templates/it.yaml" }}', ''],
  ])('%s', (template, expected) => {
    expect(rendered(template, files)).toBe(expected);
  });
});

describe('the functions of Helm', () => {
  it.each([
    ['{{ dict "b" (list 1 "x") "a" (dict "on" true) | toYaml }}', 'a:\n  "on": true\nb:\n- 1\n- x'],
    [
      '{{ dict "s" "yes" "n" "012" "e" "" "m" "a\\nb\\n" | toYaml }}',
      'e: ""\nm: |\n  a\n  b\n"n": "012"\ns: "yes"',
    ],
    ['{{ toYaml nil }}{{ toYaml (dict) }}{{ toYaml (list) }}', 'null{}[]'],
    ['{{ (fromYaml "a: { b: on }").a.b }} {{ (fromYaml "a: [").Error | empty }}', 'true false'],
    [
      '{{ fromYamlArray "[1, b]" }} {{ (fromJson "{\\"a\\": 1}").a }} {{ fromJsonArray "[2]" }}',
      '[1 b] 1 [2]',
    ],
    ['{{ (fromYaml "[1]").Error }}', 'the text is not a map'],
    ['{{ required "needed" "x" }}{{ required "needed" 0 }}', 'x0'],
    ['{{ lookup "v1" "Secret" "a" "b" }}', 'map[]'],
    ['{{ getHostByName "localhost" }}{{ if false }}{{ genCA "a" 1 }}{{ end }}', ''],
    ['{{ tpl "{{ .Release.Name }}-{{ include \\"it2\\" . }}" . }}', 'my-two'],
    [
      '{{ tpl "{{ define \\"own\\" }}<{{ . }}>{{ end }}{{ include \\"own\\" 1 }}{{ tpl \\"{{ include \\\\\\"own\\\\\\" 2 }}\\" . }}" . }}',
      '<1><2>',
    ],
    ['{{ include "it2" . | upper }} {{ template "it2" . }}', 'TWO two'],
    ['[{{ tpl "{{ .none }}" . }}]', '[]'],
  ])('%s', (template, expected) => {
    const files = { 'templates/_more.tpl': '{{ define "it2" }}two{{ end }}', 'values.yaml': 'a: {}' };
    expect(rendered(template, files)).toBe(expected);
  });

  it.each([
    ['{{ required "give a name" .Values.name }}', /error calling required: give a name/],
    ['{{ required "give a name" "" }}', /error calling required: give a name/],
    ['{{ fail "no" }}', /error calling fail: no/],
    ['{{ include "none" . }}', /error calling include: .*no template "none"/],
    ['{{ tpl "{{ if }}" . }}', /error calling tpl: .*missing value for if/],
    ['{{ toToml . }}', /error calling toToml: not supported here: TOML is not read or written/],
    [
      '{{ genSelfSignedCert "a" nil nil 1 }}',
      /error calling genSelfSignedCert: not supported here: templates do not make keys or certificates/,
    ],
    ['{{ env "HOME" }}', /function "env" not defined/],
    ['{{ include "it" . }}', /more than 100 nested calls of include and tpl/],
  ])('%s fails', (template, message) => {
    expect(() => rendered(template)).toThrow(message);
  });
});

describe('values', () => {
  const files = {
    'values.yaml': 'port: 1000000\nmap: { a: 1, b: 2, none: null }\nlist: [1, 2]\nnone: null\ntext: t',
  };
  const all = '{{ toJson .Values }}';

  it.each([
    [[], '{"list":[1,2],"map":{"a":1,"b":2},"port":1000000,"text":"t"}'],
    [
      [{ map: { a: 3, c: 4 }, list: [5] }],
      '{"list":[5],"map":{"a":3,"b":2,"c":4},"port":1000000,"text":"t"}',
    ],
    [[{ map: { a: null }, text: null, none: null }], '{"list":[1,2],"map":{"b":2},"port":1000000}'],
    [[{ map: null, list: null, port: null, text: null, own: null }], '{"own":null}'],
    [[{ map: 'text', text: { a: 1 } }], '{"list":[1,2],"map":"text","port":1000000,"text":{"a":1}}'],
    [
      [{ map: { a: 3 } }, { map: { a: null, b: 4 } }],
      '{"list":[1,2],"map":{"b":4},"port":1000000,"text":"t"}',
    ],
  ])('%j over the defaults', (values, expected) => {
    expect(rendered(all, files, { values })).toBe(expected);
  });

  it('are floating-point numbers: a large one needs int', () => {
    expect(rendered('{{ .Values.port }} {{ int .Values.port }}', files)).toBe('1e+06 1000000');
  });

  it('are checked by the schema, each fault in one line', () => {
    const schema = JSON.stringify({
      properties: {
        a: { properties: { n: { type: 'integer' } }, additionalProperties: false },
        e: { enum: ['x', 'y'] },
      },
      additionalProperties: false,
    });
    const run = (values: object) =>
      rendered('', { 'values.schema.json': schema }, { values: [{ ...values }] });
    expect(run({ a: { n: 1 }, e: 'x' })).toBe('');
    expect(() => run({ a: { n: 'one', m: 1 }, e: 'z' })).toThrow(
      'values of shop: a: there is no m; a.n: must be integer; e: must be equal to one of the allowed values: x, y',
    );
    expect(() => run({ o: 1 })).toThrow('values of shop: values: there is no o');
  });
});

it('a value that is missing is nothing in the text of a file', () => {
  const text = 'kind: A\napiVersion: v1\nmetadata: { name: "x{{ .Values.none }}{{ .Values.a.b }}" }';
  const chart = chartOf({ 'templates/x.yaml': text, 'values.yaml': 'a: {}' });
  expect(renderChart(chart, { name: 'my', namespace: 'n' }).files[0]?.docs[0]?.metadata.name).toBe('x');
});

describe('the files of a chart', () => {
  const manifest = (name: string) => `kind: ConfigMap\napiVersion: v1\nmetadata: { name: ${name} }\n`;

  it('become objects by file; partials and empty files are none; notes are apart', () => {
    const chart = chartOf({
      'templates/b.yaml': `---\n# nothing\n---\n${manifest('b1')}---\n${manifest('b2')}`,
      'templates/a.yaml': manifest('{{ include "name" . }}'),
      'templates/c.yaml': `---# on the same line\n${manifest('c')}`,
      'templates/none.yaml': '{{ if false }}x{{ end }}\n',
      'templates/_name.tpl': '{{ define "name" }}far{{ end }}',
      'templates/deep/_name.tpl': '{{ define "name" }}deep{{ end }}',
      'templates/NOTES.txt': 'Hello {{ .Release.Name }}',
    });
    const { files, notes } = renderChart(chart, { name: 'my', namespace: 'n' });
    expect(files.map(({ file, docs }) => [file, ...docs.map(({ metadata }) => metadata.name)])).toEqual([
      ['templates/a.yaml', 'far'],
      ['templates/b.yaml', 'b1', 'b2'],
      ['templates/c.yaml', 'c'],
    ]);
    expect(notes).toBe('Hello my');
  });

  it.each([
    ['a: [', /templates\/x\.yaml: /],
    ['a: 1\na: 2', /templates\/x\.yaml: .*unique/],
    [
      'kind: A\napiVersion: v1',
      /templates\/x\.yaml: a document is not an object with apiVersion, kind and metadata\.name/,
    ],
    ['text', /a document is not an object/],
  ])('that are not manifests are refused: %s', (text, message) => {
    const chart = chartOf({ 'templates/x.yaml': text });
    expect(() => renderChart(chart, { name: 'my', namespace: 'n' })).toThrow(message);
  });

  it.each([
    [{ 'Chart.yaml': 'version: 1' }, /name and version are needed/],
    [{ 'Chart.yaml': '[]' }, /Chart\.yaml is not a map/],
    [{ 'charts/a/Chart.yaml': '' }, /chart shop has dependencies/],
    [{ 'Chart.yaml': 'name: a\nversion: "1"\ndependencies: [{ name: b }]' }, /chart a has dependencies/],
  ])('that cannot be rendered are refused: %j', (files, message) => {
    expect(() => chartOf(files)).toThrow(message);
  });
});
