import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Finding, type Template, TemplateError, lint } from '@hnotif/gotemplate';
import { compile } from '../render/compile.ts';
import { templateContext } from '../render/context.ts';
import { exampleSource } from '../render/example.ts';
import { functions } from '../render/functions.ts';
import { PAYLOAD } from '../render/types.ts';
import { EVENT_KINDS, type EventKind, type SinkType } from '../resources/kinds.ts';
import type { OutputRules } from '../sinks/definition.ts';
import { SINKS } from '../sinks/registry.ts';
import { EXIT } from './exit.ts';
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
  const failures = new Map<string, EventKind[]>();
  const failed = (message: string, kind: EventKind): void => {
    failures.set(message, [...(failures.get(message) ?? []), kind]);
  };
  for (const kind of flags.event === undefined ? EVENT_KINDS : [flags.event]) {
    try {
      const rendered = compiled.execute(
        templateContext(exampleSource(kind, flags.sinkType, flags.operation)),
      );
      if (flags.event === undefined) io.out(`--- ${kind}\n`);
      io.out(rendered.endsWith('\n') ? rendered : `${rendered}\n`);
      const fault = SINKS[flags.sinkType].outputProblem(rendered, flags);
      if (fault !== undefined) failed(fault, kind);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      failed(error.message, kind);
    }
  }
  for (const [message, kinds] of failures) io.err(`${kinds.join(', ')}: ${message}\n`);
  const bad = failures.size > 0 || findings.some(({ severity }) => severity === 'error');
  return bad ? EXIT.failed : EXIT.ok;
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
function line({ line, column, severity, message }: Finding): string {
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
