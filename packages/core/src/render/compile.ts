import { type Template, parse } from '@hnotif/gotemplate';
import { functions } from './functions.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import type { TemplateSource } from './template.ts';

const { execution, source, output, compiled, compiledSize } = TEMPLATE_LIMITS;
const limits = { time: execution.value, source: source.value, output: output.value };

/**
 * Parses a custom template with the functions and limits of all of them. Throws a TemplateError. `clock`: as the engine's option; its
 * default, too.
 */
export const compile = ({ name, text }: TemplateSource, clock?: () => number): Template =>
  parse(name, text, { funcs: functions, limits, clock });

interface Entry {
  readonly template: Template;
  readonly size: number;
}

/** Parsed templates by their id, the latest used last. */
export class Compiled {
  readonly #clock: (() => number) | undefined;
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /** `clock`: as in {@link compile}. */
  constructor(clock?: () => number) {
    this.#clock = clock;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** `id`: as `idOf` gives it. Throws a TemplateError. */
  get(id: string, source: TemplateSource): Template {
    const known = this.#entries.get(id);
    const entry = known ?? { template: compile(source, this.#clock), size: source.text.length };
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (known === undefined) this.#size += entry.size;
    for (const [oldest, { size }] of this.#entries) {
      if (this.#entries.size <= compiled.value && this.#size <= compiledSize.value) break;
      this.#entries.delete(oldest);
      this.#size -= size;
    }
    return entry.template;
  }
}
