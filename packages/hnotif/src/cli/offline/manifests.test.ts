import { expect, test } from 'vitest';
import { readManifests } from './manifests.ts';

test.each([
  'metadata:\n  name: {{ .Values.name }}\n  more: {{ include "x" . }}\n',
  'metadata:\n  name: a\n  {{- with .Values.labels }}\n  labels: {}\n  {{- end }}\n',
])('a template of Helm is one problem, with the remedy (%#)', (content) => {
  const { manifests, problems } = readManifests('a.yaml', content);
  expect(manifests).toEqual([]);
  expect(problems).toEqual([
    {
      line: expect.any(Number) as number,
      column: expect.any(Number) as number,
      message: expect.stringMatching(/helm template/) as string,
    },
  ]);
});

test('a template of hnotif in a config map is none of Helm', () => {
  const { manifests } = readManifests('a.yaml', 'data:\n  a: |\n    {{ .Plan.Name }}\n  b: "{{ .Phase }}"\n');
  expect(manifests).toHaveLength(1);
  const { problems } = readManifests('a.yaml', 'data:\n  a: |\n    {{ .Plan.Name }}\n  b: [\n');
  expect(problems).not.toMatchObject([{ message: expect.stringMatching(/helm/) as string }]);
});

test.each(['a: *nope\n', `a: &a [1, 2]\nb: &b [${'*a,'.repeat(99)}]\nc: [*b, *b, *b]\n`])(
  'aliases that cannot be resolved are a problem of the file (%#)',
  (content) => {
    const { manifests, problems } = readManifests('a.yaml', content);
    expect(manifests).toEqual([]);
    expect(problems).toMatchObject([{ line: 1, message: expect.stringMatching(/alias/) as string }]);
  },
);
