import {
  faultOf,
  TEMPLATE_LIMITS,
  type Fault,
  type Rendered,
  type RenderFault,
  type Source,
  type TemplateSource,
} from '@hnotif/core/render';
import type { BatchFailure } from './worker-thread.ts';

const { answer, heap } = TEMPLATE_LIMITS;

/** A template that should be rendered, or only parsed. */
export interface Task {
  readonly template: TemplateSource;
  /** Undefined: the template is only parsed. */
  readonly source: Source | undefined;
  /** The first call counts. */
  readonly settle: (rendered: Rendered) => void;
  /** When it began to wait (monotonic milliseconds). */
  readonly since: number;
  isSettled: boolean;
  /** Whether a thread has ended without an answer to it. Such a task runs alone, so no other task is blamed. */
  isSuspect: boolean;
}

export const tooLarge = (template: TemplateSource, why: string): Fault =>
  faultOf(template, 'TemplateTooLarge', why);

export const namespaceOf = ({ namespace }: TemplateSource): string => namespace ?? '';

/** The number of targets that are copied for a task. */
export const targetsOf = ({ source }: Task): number => source?.event.targets.length ?? 0;

/** An endless loop exceeds the limit of time, steps or memory. */
export const hasMetLimit = (rendered: Rendered): boolean =>
  !rendered.ok && (rendered.reason === 'TemplateTimedOut' || rendered.reason === 'TemplateTooLarge');

/** The fault of a task that ran alone, and the rest of a sentence that begins with its template. */
export function faultsOf(failure: BatchFailure): [RenderFault, string] {
  switch (failure.kind) {
    case 'died':
      return ['TemplateWorkerFailed', `: its worker failed twice: ${failure.message}`];
    case 'timed-out':
      return ['TemplateTimedOut', `: its worker did not answer within ${answer.value / 1000} s`];
    case 'out-of-memory':
      return ['TemplateTooLarge', `: exceeded the memory of a worker (${heap.value} MiB)`];
  }
}

export const stopping = (template: TemplateSource): Fault =>
  faultOf(template, 'TemplateWorkerFailed', ' was not rendered: hnotif is stopping');
