import type { Source } from './context.ts';

/** A custom template as it was read from its config map. */
export interface TemplateSource {
  /** `configmap/key`: its name in errors and conditions. */
  readonly name: string;
  readonly text: string;
  /** Its namespace: namespaces share the workers. Absent: there is only one. */
  readonly namespace?: string | undefined;
  /** Why it is too large to be read. `text` is empty then, and every rendering fails. */
  readonly tooLarge?: string | undefined;
}

/**
 * Why a template made no message, and what was sent instead. Metrics, conditions and docs use this table.
 */
export const RENDER_FAULTS = {
  TemplateMissing:
    'The config map or its key does not exist or may not be read; the built-in template was used.',
  TemplateParseFailed: 'The template cannot be parsed; plain text was sent.',
  TemplateDoubtful:
    'A place in the template fails whenever an event comes there, or the receiver would refuse its message; a plainer message is sent then. Found by a look at the template and an example, before any event.',
  OutputDoubtful:
    'The output of the template is sent as it is, and probably not what its author means, such as `<no value>` or a time in the layout `YYYY-MM-DD`.',
  TemplateExecutionFailed: 'The template failed while it ran; plain text was sent.',
  TemplateTimedOut: 'The template took more than 1 s of CPU time; plain text was sent.',
  TemplateTooLarge:
    'The template is too long, or used more memory, steps or output than it may; plain text was sent.',
  TemplateSuspended:
    'The template, or all templates of the namespace together, have used the worker time of a minute; plain text was sent.',
  TemplateWorkerFailed: 'The worker of templates failed; plain text was sent.',
} as const;

export type RenderFault = keyof typeof RENDER_FAULTS;

export type Rendered =
  | { readonly ok: true; readonly text: string }
  /** `message` names the template, the known line and column, and the error. */
  | { readonly ok: false; readonly reason: RenderFault; readonly message: string };

/** Runs custom templates in isolation. */
export interface TemplateRunner {
  /** Never rejects. `signal` aborts it. */
  render(template: TemplateSource, source: Source, signal?: AbortSignal): Promise<Rendered>;
  /** The fault of a template, found without an event; undefined: none. */
  check(template: TemplateSource): Promise<Extract<Rendered, { ok: false }> | undefined>;
}
