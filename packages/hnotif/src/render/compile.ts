import { type Template, parse } from '@hnotif/gotemplate';
import { functions } from './functions.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import type { TemplateSource } from './template.ts';

const { execution, source, output, compiled, compiledSize } = TEMPLATE_LIMITS;
const limits = { time: execution.value, source: source.value, output: output.value };

/** Parses a custom template with the functions and limits of all of them. Throws a TemplateError. */
export const compile = ({ name, text }: TemplateSource): Template =>
  parse(name, text, { funcs: functions, limits });

/** Parsed templates by what they say, the latest used last. */
export class Compiled {
  readonly #templates = new Map<string, Template>();
  #size = 0;

  /** Throws a TemplateError. */
  get(source: TemplateSource): Template {
    // A name has no line break.
    const key = `${source.name}\n${source.text}`;
    const template = this.#templates.get(key) ?? compile(source);
    if (this.#templates.delete(key)) this.#size -= key.length;
    this.#templates.set(key, template);
    this.#size += key.length;
    for (const oldest of this.#templates.keys()) {
      if (this.#templates.size <= compiled.value && this.#size <= compiledSize.value) break;
      this.#templates.delete(oldest);
      this.#size -= oldest.length;
    }
    return template;
  }
}
