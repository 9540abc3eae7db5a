/** Templates: parse once, execute many times. */
import { Budget } from './budget.ts';
import { TemplateError } from './errors.ts';
import { LazyDefinition } from './exec/definition.ts';
import type { Definition, Program } from './exec/program.ts';
import { Execution } from './exec/frame.ts';
import { functionsOf } from './exec/functions.ts';
import { run } from './exec/run.ts';
import {
  missingKey,
  type TemplateOptions,
  resolveOptions,
  type ResolvedOptions,
  type ExecutionOptions,
} from './options.ts';
import { checkOptions, checkExecutionOptions, checkText } from './options/check.ts';
import { isEmpty } from './parse/definitions.ts';
import { parseTree } from './parse/parser.ts';
import { quote } from './strconv/quote.ts';
import { fromJS } from './value/from-js.ts';
import type { FuncMap } from './value/func.ts';
import { fromOutside, toBytes, toOutside } from './value/text.ts';

const NO_FUNCTIONS: FuncMap = {};

/** A text, and its name in error messages. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/**
 * Parses a text. `name` is its name in error messages and as a definition. Throws a {@link TemplateError} if the text is
 * not a valid template or is longer than `limits.source`, or if `missingkey` is unknown. Throws a TypeError for invalid
 * options.
 */
export function parse(name: string, text: string, options: TemplateOptions = {}): Template {
  return parseAll([{ name, text }], options);
}

/**
 * Parses texts that share their definitions, as Go's `New(name).Parse(text)` on an existing template does. Returns the
 * template of the first text; `executeTemplate` runs the others. If two texts define the same name, the later definition
 * wins, unless it is empty. Throws the errors of {@link parse}, and a TypeError if there is no text.
 */
export function parseAll(sources: readonly Source[], options: TemplateOptions = {}): Template {
  for (const { name, text } of sources) {
    checkText('parse: name', name);
    checkText('parse: text', text);
  }
  checkOptions(options);
  const resolved = resolveOptions(options);
  const functions = functionsOf(options.funcs ?? NO_FUNCTIONS);
  const missing = missingKey(options.missingkey);
  const definitions = new Map<string, Definition>();
  const programs = sources.map(({ name, text }): Program => {
    if (text.length > resolved.limits.source) throw tooLong(name, resolved.limits.source);
    const source = fromOutside(text);
    const trees = parseTree(name, source, {
      leftDelim: options.delims?.[0],
      rightDelim: options.delims?.[1],
      hasFunction: (word) => functions.find(word) !== undefined,
      hint: (word) => functions.reason(word),
    });
    const program: Program = { name, text: source, missingKey: missing, functions, definitions };
    for (const [key, tree] of trees)
      if (!definitions.has(key) || !isEmpty(tree.root))
        definitions.set(key, new LazyDefinition(program, tree));
    return program;
  });
  const [first] = programs;
  if (first === undefined) throw new TypeError('parseAll: no text was given; wanted at least one');
  return new Template(first, resolved);
}

function tooLong(name: string, bound: number): TemplateError {
  const description = `exceeded the source limit (${bound} characters)`;
  const message = `template: ${name}: ${description}`;
  return new TemplateError({ stage: 'parse', message, description, template: name, limit: 'source' });
}

/** A parsed template, made by {@link parse} or {@link parseAll}. It is immutable and reentrant. */
export class Template {
  readonly #program: Program;
  readonly #defaults: ResolvedOptions;

  constructor(program: Program, defaults: ResolvedOptions) {
    this.#program = program;
    this.#defaults = defaults;
  }

  /** The name that was given to {@link parse}. */
  get name(): string {
    return this.#program.name;
  }

  /** The names of all definitions, including its own. */
  get names(): readonly string[] {
    return [...this.#program.definitions.keys()];
  }

  /**
   * Executes the template on a value, or on plain JavaScript data, which {@link fromJS} converts. Bytes that are not
   * UTF-8 become U+FFFD. Throws only a {@link TemplateError}, or a TypeError for data that fromJS refuses and for
   * invalid options.
   */
  execute(data?: unknown, options?: ExecutionOptions): string {
    return toOutside(this.#run(this.name, data, options));
  }

  /** As {@link execute}, but returns the exact bytes, even if they are not UTF-8. */
  executeBytes(data?: unknown, options?: ExecutionOptions): Uint8Array {
    return toBytes(this.#run(this.name, data, options));
  }

  /** As {@link execute}, but executes the definition `name`. */
  executeTemplate(name: string, data?: unknown, options?: ExecutionOptions): string {
    return toOutside(this.#run(name, data, options));
  }

  #run(name: string, data: unknown, given: ExecutionOptions | undefined): string {
    if (given !== undefined) checkExecutionOptions(given);
    checkText('executeTemplate: name', name);
    const definition = this.#program.definitions.get(name);
    if (definition === undefined) {
      const description = `no template ${quote(name)} associated with template ${quote(this.name)}`;
      const message = `template: ${description}`;
      throw new TemplateError({ stage: 'exec', message, description, template: this.name });
    }
    const { limits, now, random, zone, clock } =
      given === undefined ? this.#defaults : resolveOptions(given, this.#defaults);
    const value = fromJS(data) ?? undefined;
    const context = { budget: new Budget(limits, clock), now, random, zone };
    return run(new Execution(context, limits.depth, definition.root), definition, value);
  }
}
