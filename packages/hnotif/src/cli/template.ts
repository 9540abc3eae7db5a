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
import { FlagError } from './flags.ts';

export interface TemplateFlags extends Pick<OutputRules, 'format' | 'parseMode'> {
  readonly sinkType: SinkType;
  /** Only this event; all of them when absent. */
  readonly event?: EventKind;
  readonly operation: string;
}

/**
 * Checks a template and shows what it makes of an example's events: findings on stderr, one a line as compilers write
 * them, text on stdout. Gives exit code 1 when something fails, or would. `refusalOfBlocks`: what Slack says of blocks.
 */
export async function template(
  file: string,
  flags: TemplateFlags,
  refusalOfBlocks: OutputRules['refusalOfBlocks'],
): Promise<number> {
  const source = await read(file);
  const findings = lint(source, PAYLOAD, { funcs: functions });
  for (const finding of findings) process.stderr.write(`${name(file)}:${line(finding)}\n`);
  if (findings.some(({ rule }) => rule === 'syntax' || rule === 'unknown-function')) return EXIT.failed;

  const compiled = compiledOf(name(file), source);
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
      if (flags.event === undefined) process.stdout.write(`--- ${kind}\n`);
      process.stdout.write(rendered.endsWith('\n') ? rendered : `${rendered}\n`);
      const fault = SINKS[flags.sinkType].outputProblem(rendered, { ...flags, refusalOfBlocks });
      if (fault !== undefined) failed(fault, kind);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      failed(error.message, kind);
    }
  }
  for (const [message, kinds] of failures) process.stderr.write(`${kinds.join(', ')}: ${message}\n`);
  const bad = failures.size > 0 || findings.some(({ severity }) => severity === 'error');
  return bad ? EXIT.failed : EXIT.ok;
}

/** Lint has found what is wrong with the text; this says what else there is, such as its length. */
function compiledOf(name: string, text: string): Template | undefined {
  try {
    return compile({ name, text });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** What errors call the template. */
const name = (file: string): string => (file === '-' ? 'stdin' : basename(file));

/** `3:14: warning: …`; the column is that of Go's messages, which stand beside it: bytes from 0. */
function line({ line, column, severity, message }: Finding): string {
  return `${line}:${column === undefined ? '' : `${column}:`} ${severity}: ${message}`;
}

async function read(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new FlagError(`template ${file}: ${UNREADABLE[code] ?? code}`);
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; name a file',
  EACCES: 'it may not be read',
};
