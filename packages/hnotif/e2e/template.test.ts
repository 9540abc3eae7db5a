import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainCommand } from './support/command.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples/templates');

/** `hnotif template` with this on its standard input. */
async function template(
  input: string,
  ...args: string[]
): Promise<{ out: string; err: string; code: number }> {
  const { exit, ...told } = await plainCommand(['template', ...args], input);
  return { ...told, code: exit };
}

describe('hnotif template', () => {
  it('shows the output of a template for every event', async () => {
    const { out, err, code } = await template('{{ .Event }} {{ .Plan }} by {{ .Operation | title }}\n', '-');
    const kinds = ['Start', 'Success', 'Failure', 'Recovery', 'PhaseChange', 'ExecutionProgress'];
    expect(out).toBe(kinds.map((kind) => `--- ${kind}\n${kind} shop-eu/web-shop by Shutdown\n`).join(''));
    expect({ err, code }).toEqual({ err: '', code: 0 });
  });

  it('shows only the text of one event', async () => {
    const flags = ['--event=Recovery', '--sink-type=botchat', '--operation=wakeup'];
    const { out, code } = await template('{{ .Operation }} {{ .RetryCount }} {{ .SinkType }}', '-', ...flags);
    expect({ out, code }).toEqual({ out: 'wakeup 2 botchat\n', code: 0 });
  });

  it('reports the place of a mistake, and a suggestion', async () => {
    const { out, err, code } = await template(
      'x {{ .PlanName }}\n{{ if eq .Operation "Hibernate" }}{{ end }}',
      '-',
    );
    expect(err.split('\n').slice(0, 2)).toEqual([
      'stdin:1:5: error: sink.Payload has no field PlanName; did you mean .Plan.Name?',
      'stdin:2:20: warning: Operation is "shutdown" or "wakeup", not "Hibernate"; did you mean "shutdown"?',
    ]);
    expect(err).toContain(
      'Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress: template: stdin:1:5: executing "stdin" at <.PlanName>',
    );
    expect({ out, code }).toEqual({ out: '', code: 1 });
  });

  it.each([
    [
      '{"blocks":[{"type":"section"}]}',
      [],
      /Start, .*: Slack would refuse it: \/blocks\/0\/type: has neither text nor fields/,
    ],
    [
      '{"blocks":[{"type":"table","rows":[[{"type":"raw_text","text":"a"}]]},{"type":"table","rows":[[{"type":"raw_text","text":"b"}]]}]}',
      [],
      /\/blocks\/1: is a second table; one is allowed \(invalid_attachments: only_one_table_allowed\)/,
    ],
    [
      '[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"x"},"style":"loud"}]}]',
      ['--format=json'],
      /\/blocks\/0\/elements\/0\/style: must be one of "primary", "danger" \(invalid_blocks\)/,
    ],
    [
      '{"text":"x","attachments":[{"blocks":[{"type":"header"}]}]}',
      ['--format=json'],
      /Slack would refuse it: \/attachments\/0\/blocks\/0: has no field "text" \(invalid_attachments\)/,
    ],
    ['no json', ['--format=json'], /the output is not JSON/],
    [
      '<b>{{ .Plan.Name }}',
      ['--sink-type=botchat'],
      /Telegram would refuse it: \/text, line 1.*can't parse entities/,
    ],
    [
      '{{ .ErrorMessage }}',
      ['--sink-type=botchat', '--event=Failure'],
      /^Failure: Telegram would refuse it: \/text, line 1.*can't parse entities/,
    ],
    [
      'a.b',
      ['--sink-type=botchat', '--parse-mode=MarkdownV2'],
      /Telegram would refuse it: \/text, line 1, column 2: .*\\\./,
    ],
    ['{{ if false }}x{{ end }}', [], /the output is empty/],
    ['[{"type":"divider"},]', [], /the output is not JSON: .*; the preset/],
    [
      '{"type":"divider"}',
      [],
      /the output is one block, not a message; write \{"blocks": \[ … \]\} around it/,
    ],
    // Telegram takes it for a tag; the reason is the missing key.
    [
      '{{ .Plan.Annotations.nosuch }}',
      ['--sink-type=botchat'],
      /stands for \.Plan\.Annotations\.nosuch, which/,
    ],
    // A zero-width space.
    ['\u200b', ['--sink-type=botchat'], /the output is empty/],
  ])('warns that the sink would not send %s unchanged', async (text, flags, message) => {
    const { err, code } = await template(text, '-', ...flags);
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });

  it('shows the lines around a place where the output is not JSON, and what to do', async () => {
    const source = '{"blocks": [\n{{ range .Targets }}\n  {"type": "divider"}\n{{ end }}\n]}';
    const { err, code } = await template(source, '-', '--event=Success');
    expect(err).toBe(
      [
        'Success: the output is not JSON: see line 5, column 3 (between {"type": "divider"} and {"type": "divider"} {); a comma is missing before it; the preset layout would be sent',
        '  3 |   {"type": "divider"}',
        '  4 |',
        '  5 |   {"type": "divider"}',
        '    |   ^',
        '  6 |',
        '  7 |   {"type": "divider"}',
        '',
      ].join('\n'),
    );
    expect(code).toBe(1);
    const quoted = await template('[{"type": "header", "text": "{{ .Plan.Name }}]', '-', '--event=Start');
    expect(quoted.err).toMatch(
      /column 29 .*; the text that begins there has no end.*\n {2}1 \| \[\{"type": "header", "text": "web-shop\]\n {4}\| {29}\^\n/,
    );
  });

  it('says that a template of nothing but definitions shows nothing', async () => {
    const { err, code } = await template('{{ define "night" }}{{ .Event }}{{ end }}\n', '-', '--event=Start');
    expect(err).toMatch(
      /^stdin:1:20: warning: nothing is shown: .*add \{\{ template "night" \. \}\} at the end\nStart: the output is empty/,
    );
    expect(code).toBe(1);
  });

  it.each([
    ['{"blocks":[{"type":"divider"}],"text":"{{ .Event }}"}', []],
    [
      '{"text":"{{ .Event }}","attachments":[{"color":"#ecb22e","blocks":[{"type":"divider"}]}]}',
      ['--format=json'],
    ],
    ['[{{ .Event }}] of a night', []],
    ['{% {{ .Event }}', []],
    ['{ is no JSON here {{ .Event }}', ['--format=text']],
    ['<b>{{ .ErrorMessage | escapeHTML }}</b>{{ .Event }}', ['--sink-type=botchat']],
    ['', ['--sink-type=webhook']],
  ])('accepts %s without a warning', async (text, flags) => {
    expect(await template(text, '-', ...flags)).toMatchObject({ err: '', code: 0 });
  });

  it('only warns about possible mistakes', async () => {
    const { err, code } = await template(
      '{{ if eq .Operation "Hibernate" }}{{ end }}x',
      '-',
      '--event=Start',
    );
    expect(err).toMatch(/^stdin:1:20: warning: /);
    expect(code).toBe(0);
  });

  it.each([
    ['{{ if }}', 'stdin:1: error: missing value for if\n'],
    [
      '{{ env "HOME" }}',
      'stdin:1:3: error: function env is not defined: templates do not see the environment',
    ],
    ['x'.repeat(2_000_000), 'stdin'],
    ['{{ repeat 999999999 .Event }}', 'exceeded the memory limit'],
    [
      '{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}',
      'exceeded maximum template depth (100000)',
    ],
  ])('survives %.60s', async (input, expected) => {
    const { err, code } = await template(input, '-');
    expect(err).toContain(expected);
    expect(code).toBe(1);
  });

  it.each([
    [['nowhere.tmpl'], 'error: template nowhere.tmpl: it does not exist\n'],
    [[import.meta.dirname], 'it is a folder; give a file\n'],
    [
      ['-', '--operation=Hibernate'],
      "argument 'Hibernate' is invalid. Allowed choices are shutdown, wakeup.",
    ],
    [['-', '--event=Dawn'], "error: option '--event <kind>' argument 'Dawn' is invalid."],
    [[], "error: missing required argument 'file'; see hnotif template --help\n"],
  ])('refuses %j', async (args, expected) => {
    const { err, code } = await template('', ...args);
    expect(err).toContain(expected);
    expect(code).toBe(2);
  });

  it('accepts the examples without a warning', async () => {
    const files = await readdir(EXAMPLES);
    expect(files).not.toEqual([]);
    for (const file of files)
      expect(
        await template(
          '',
          join(EXAMPLES, file),
          `--sink-type=${file === 'incident.tmpl' ? 'botchat' : 'teamchat'}`,
        ),
      ).toMatchObject({ err: '', code: 0 });
  });
});
