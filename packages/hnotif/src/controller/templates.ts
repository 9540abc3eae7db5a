import type { ContentReader } from '../cluster/content-reader.ts';
import { Share } from '@hnotif/core/fair';
import { TEMPLATE_LIMITS, type TemplateSource, idOf } from '@hnotif/core/render';
import type { SinkEntry } from '@hnotif/core/resources';
import type { Degradation } from '@hnotif/core/sinks';

/** A custom template, or why the built-in one is used. */
export type Template =
  | { readonly kind: 'found'; readonly source: TemplateSource }
  | { readonly kind: 'fault'; readonly degradation: Degradation };

/** The config map cannot be read now, and was never read. */
interface Unavailable {
  readonly kind: 'unavailable';
  readonly message: string;
}

interface Held {
  readonly source: TemplateSource;
  /** How many sinks hold it. */
  uses: number;
}

const { held } = TEMPLATE_LIMITS;

/** The cost of a template besides its text, in characters. */
const ENTRY_SIZE = 512;

/** The templates of sinks. A text is held once for all sinks that use it. Namespaces share the room for texts. */
export class Templates {
  readonly #reader: Pick<ContentReader<'configmaps'>, 'read'>;
  readonly #held = new Map<string, Held>();
  readonly #share = new Share(held.value);

  constructor(reader: Pick<ContentReader<'configmaps'>, 'read'>) {
    this.#reader = reader;
  }

  /** `before`: the result of the last read. Never rejects. */
  async read(
    namespace: string,
    { name: configMap, key }: NonNullable<SinkEntry['templateRef']>,
    before: Template | undefined,
  ): Promise<Template | Unavailable> {
    const reading = await this.#reader.read(namespace, configMap, key);
    const name = `${configMap}/${key}`;
    const tooLarge = (why: string): Template => ({
      kind: 'found',
      source: { name, namespace, text: '', tooLarge: `: ${why}` },
    });
    switch (reading.kind) {
      case 'found': {
        const source = { name, namespace, text: reading.value };
        const known = this.#held.get(keyOf(source));
        if (known !== undefined) return { kind: 'found', source: known.source };
        if (this.#share.admits(namespace, sizeOf(source))) return { kind: 'found', source };
        const has = `the templates of its namespace have ${this.#share.held(namespace).toLocaleString('en')} characters`;
        return tooLarge(`${has}, and there is no room for more: shorten them, or let sinks share them`);
      }
      case 'too-large':
        return tooLarge(reading.message);
      // The last result is used. A sink without one waits.
      case 'unavailable':
        return before ?? { kind: 'unavailable', message: reading.message };
      default: {
        const message = `${reading.message}; until then the built-in template is used`;
        return { kind: 'fault', degradation: { reason: 'TemplateMissing', message } };
      }
    }
  }

  /** One more sink uses the template. Returns it with the shared text. */
  hold(template: Template | undefined): Template | undefined {
    if (template?.kind !== 'found' || template.source.text === '') return template;
    const { source } = template;
    const key = keyOf(source);
    const entry = this.#held.get(key);
    if (entry === undefined) {
      this.#held.set(key, { source, uses: 1 });
      this.#share.take(source.namespace ?? '', sizeOf(source));
      return template;
    }
    entry.uses++;
    return { kind: 'found', source: entry.source };
  }

  /** A sink stops using the template. */
  release(template: Template | undefined): void {
    if (template?.kind !== 'found' || template.source.text === '') return;
    const { source } = template;
    const entry = this.#held.get(keyOf(source));
    if (entry === undefined || --entry.uses > 0) return;
    this.#held.delete(keyOf(source));
    this.#share.give(source.namespace ?? '', sizeOf(source));
  }
}

const keyOf = (source: TemplateSource): string => `${source.namespace ?? ''}/${idOf(source)}`;

const sizeOf = ({ text }: TemplateSource): number => text.length + ENTRY_SIZE;
