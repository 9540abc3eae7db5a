import type { Source } from './context.ts';

/** A custom template as it was read from its config map. */
export interface TemplateSource {
  /** `configmap/key`: its name in errors and conditions. */
  readonly name: string;
  readonly text: string;
  /** Where it stands: namespaces share the workers. Absent: there is one only. */
  readonly namespace?: string | undefined;
  /** Why it is too large to be read; `text` is empty then, and the template fails whenever it is used. */
  readonly tooLarge?: string | undefined;
}

/**
 * Why a template gave no message, by reason, and what was sent instead. One table: metrics, conditions and the
 * documentation are fed from it.
 */
export const RENDER_FAULTS = {
  TemplateMissing:
    'The config map or its key does not exist or may not be read; the built-in template was used.',
  TemplateParseFailed: 'The template cannot be parsed; plain text was sent.',
  TemplateDoubtful:
    'A place in the template fails whenever an event comes there; plain text is sent then. Found by a look at the template, before any event.',
  TemplateExecutionFailed: 'The template failed while it ran; plain text was sent.',
  TemplateTimedOut: 'The template ran longer than 1 s; plain text was sent.',
  TemplateTooLarge:
    'The template is too long, or used more memory, steps or output than it may; plain text was sent.',
  TemplateSuspended:
    'The template, or all templates of the namespace together, have used the worker time of a minute; plain text was sent.',
  TemplateWorkerFailed: 'The worker of templates failed; plain text was sent.',
} as const;

export type RenderFault = keyof typeof RENDER_FAULTS;

export type Rendered =
  | { readonly ok: true; readonly text: string }
  /** `message` names the template, line and column where they are known, and what is wrong. */
  | { readonly ok: false; readonly reason: RenderFault; readonly message: string };

/** Runs custom templates where they can do no harm. */
export interface TemplateRunner {
  /** Never rejects. `signal` calls it off: the result is then of no interest. */
  render(template: TemplateSource, source: Source, signal?: AbortSignal): Promise<Rendered>;
  /** What is wrong with a template as far as reading it tells; undefined: nothing. */
  check(template: TemplateSource): Promise<Extract<Rendered, { ok: false }> | undefined>;
}
