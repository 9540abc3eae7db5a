import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Finding as LintFinding, type Template, TemplateError, lint } from '@hnotif/gotemplate';
import {
  compile,
  templateContext,
  doubtOf,
  textsOf,
  exampleSource,
  withExampleNotification,
  missingKey,
  functions,
  PAYLOAD,
} from '@hnotif/core/render';
import { EVENT_KINDS, type EventKind, type SinkType } from '@hnotif/core/resources';
import { type OutputRules, parseJson, SINKS, type Origin } from '@hnotif/core/sinks';
import { EXIT } from './exit.ts';
import { findingsOfVerdict, Folded, sameOutputs, type Finding } from '@hnotif/core/rehearsal';
import { linesAround } from './lines-around.ts';
import { whyUnreadable } from './unreadable.ts';
import { FlagError, type Io } from './io.ts';

export interface TemplateFlags extends Pick<OutputRules, 'format' | 'parseMode'> {
  readonly sinkType: SinkType;
  /** Undefined: all events. */
  readonly event?: EventKind;
  readonly operation: string;
}

/**
 * Checks a template and shows its output for the events of an example. Findings go to stderr, in the format of compilers, output goes to
 * stdout. Returns exit code 1 if there is an error.
 */
export async function template(file: string, flags: TemplateFlags, io: Io): Promise<number> {
  const source = await read(file, io);
  const findings = lint(source, PAYLOAD, { funcs: functions });
  for (const finding of findings) io.err(`${name(file)}:${line(finding)}\n`);
  if (findings.some(({ rule }) => rule === 'syntax' || rule === 'unknown-function')) return EXIT.failed;

  const compiled = compiledOf(name(file), source, io);
  if (compiled === undefined) return EXIT.failed;
  const found = new Folded<EventKind>();
  const outputs = new Map<EventKind, string>();
  for (const kind of flags.event === undefined ? EVENT_KINDS : [flags.event]) {
    try {
      const example = withExampleNotification(exampleSource(kind, flags.sinkType, flags.operation));
      const rendered = compiled.execute(templateContext(example));
      if (flags.event === undefined) io.out(`--- ${kind}\n`);
      io.out(rendered.endsWith('\n') ? rendered : `${rendered}\n`);
      outputs.set(kind, rendered);
      for (const finding of findingsOfOutput(flags, rendered, {
        template: { name: name(file), text: source },
        source: example,
      }))
        found.add(finding, kind);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      found.add({ severity: 'error', message: error.message }, kind);
    }
  }
  const same = sameOutputs([...outputs.values()]);
  if (same !== undefined) io.err(`${same.severity}: ${same.message}\n`);
  for (const { finding, events } of found.all()) {
    const severity = finding.severity === 'error' ? '' : `${finding.severity}: `;
    io.err(
      `${events.join(', ')}: ${severity}${finding.message}\n${jsonFault(finding, outputs.get(events[0]) ?? '')}`,
    );
  }
  const all = [...findings, ...found.all().map(({ finding }) => finding)];
  return all.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.ok;
}

/** What is wrong with an output: each cause is a finding of its own. */
function findingsOfOutput(flags: TemplateFlags, output: string, origin: Origin): readonly Finding[] {
  const { problem, verdict, reading } = SINKS[flags.sinkType].judgeOutput(output, flags, origin);
  if (problem !== undefined) return [{ severity: 'error', message: problem }];
  const judged = findingsOfVerdict(flags.sinkType, verdict);
  const doubt = doubtOf(output, reading, {
    missing: () => missingKey(origin.template.text, origin.source),
    data: () => textsOf(origin.source),
  });
  if (doubt === undefined) return judged;
  return [...judged, { severity: 'warning', message: `the output, line ${doubt.line}: ${doubt.what}` }];
}

/** The lines of an output around the place where it is not JSON; `''`: that is not its fault. */
function jsonFault({ message }: Finding, output: string): string {
  if (!message.includes('is not JSON')) return '';
  const json = parseJson(output);
  return json.ok ? '' : linesAround(output, json);
}

/** Reports errors that the linter does not find, such as the length of the text. */
function compiledOf(name: string, text: string, io: Io): Template | undefined {
  try {
    return compile({ name, text });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    io.err(`${error.message}\n`);
    return undefined;
  }
}

/** The name of the template in errors. */
const name = (file: string): string => (file === '-' ? 'stdin' : basename(file));

/** `3:14: warning: …`. The column counts bytes from 0, as in Go's messages. */
function line({ line, column, severity, message }: LintFinding): string {
  return `${line}:${column === undefined ? '' : `${column}:`} ${severity}: ${message}`;
}

async function read(file: string, { input }: Io): Promise<string> {
  if (file === '-') return text(input);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new FlagError(`template ${file}: it ${whyUnreadable(error)}`);
  }
}
