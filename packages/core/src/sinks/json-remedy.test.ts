import { expect, test } from 'vitest';
import { exampleSource } from '../render/example.ts';
import { jsonProblem, remedyOf } from './json-remedy.ts';
import { parseJson } from './json.ts';

test('a plan with thousands of targets takes no long time', () => {
  const { event, ...rest } = exampleSource('Failure', 'teamchat', 'shutdown');
  const targets = Array.from({ length: 20_000 }, (_, at) => ({
    ...{ name: `db-${at}`, executor: 'rds', state: 'Failed', message: `"${at}" is busy` },
  }));
  const output = `${' '.repeat(5_000_000)}"a "19999" is busy"`;
  const json = parseJson(output);
  const template = { name: 'texts/json', text: '{{ range .Targets }}"a {{ .Message }}"{{ end }}' };
  expect(
    json.ok || jsonProblem(output, json, { template, source: { ...rest, event: { ...event, targets } } }),
  ).toContain('the text comes from .Message');
});

test.each([
  ['{"url": "canary",}', '; remove the comma before the }'],
  ['{"list": ["canary", \n ]}', '; remove the comma before the ]'],
  ['{"url": "canary",, "a": 1}', '; remove one of the two commas'],
  ["{'url': 'canary'}", '; write texts in double quotes (")'],
  ['{"url": \u201ccanary\u201d}', '; write texts in double quotes (")'],
  ['{"url": "canary" "key": 1}', '; a comma or a colon is missing before it'],
  ['{"url": "canary', '; the text that begins there has no end, or holds a line break or a wrong \\'],
  ['{"url": "canary"', '; it ends too early: a } or ] is missing'],
  ['{"url": canary}', '; write texts and the names of fields in double quotes (")'],
  ['{url: "canary"}', '; write texts and the names of fields in double quotes (")'],
  ['{"on": True}', '; write true, false and null in small letters'],
  ['{"list": [None]}', '; write true, false and null in small letters'],
  ['{"text": "is "busy" now"}', '; write \\" instead of " within a text'],
  ['{"a": 1} trailing', '; the JSON has ended before it: remove the rest, or write a list around all'],
  ['{"a": 1}\n{"b": 2}', '; the JSON has ended before it: remove the rest, or write a list around all'],
  ['{"a": 1, // canary\n"b": 2}', '; JSON has no comments: remove it'],
  ['[{"a": 1}\n{"b": 2}]', '; a comma is missing before it'],
  ['{"a": [1 2]}', '; a comma is missing before it'],
  ['{"url": #canary}', ''],
])('%j', (text, remedy) => {
  expect(remedyOf(text)).toBe(remedy);
});
