import type { Fault, Unknown } from '../verdict.ts';
import { kindOf, pointerOf } from '../json.ts';

/** The errors with which Slack's Web API refuses a message's content. https://docs.slack.dev/reference/methods/chat.postMessage */
export type SlackError =
  | 'invalid_json'
  | 'invalid_arguments'
  | 'invalid_blocks_format'
  | 'invalid_blocks'
  | 'msg_blocks_too_long'
  | 'invalid_attachments'
  | 'too_many_attachments'
  | 'no_text';

export interface SlackFault extends Fault {
  readonly error: SlackError;
  /** The value with several possible shapes around the fault. Slack reports it, too. */
  readonly union?: string;
}

/** The way through a message: the place of the value that is judged, and what was found. */
export class Walk {
  readonly faults: SlackFault[] = [];
  readonly unknown: Unknown[] = [];
  /** The error of the part that is judged. */
  error: SlackError = 'invalid_arguments';
  readonly #path: (string | number)[] = [];
  /** How many steps of the path lead to the union around the value. */
  #union: number | undefined;

  /** Judges a part of the present value. */
  into(step: string | number, shape: Shape, value: unknown): void {
    this.#path.push(step);
    shape(value, this);
    this.#path.pop();
  }

  /** Judges the present value, which has several possible shapes. */
  union(shape: Shape, value: unknown): void {
    const outer = this.#union;
    this.#union = this.#path.length;
    shape(value, this);
    this.#union = outer;
  }

  /** @param explanation Slack's words. @param field the part of the present value that has the fault; default: the value. */
  fault(explanation: string, rule: string, remedy: string, ...field: (string | number)[]): void {
    const pointer = pointerOf([...this.#path, ...field]);
    this.faults.push({
      place: { pointer },
      rule,
      error: this.error,
      explanation: `${explanation} [json-pointer:${pointer}]`,
      remedy,
      ...(this.#union !== undefined && { union: pointerOf(this.#path.slice(0, this.#union)) }),
    });
  }

  /** The present value has another kind than `kind`: `a string`. */
  mismatch(explanation: string, kind: string, value: unknown): void {
    this.fault(explanation, `must be ${kind}, found ${kindOf(value)}`, `write ${kind}`);
  }

  /** The present value, or its field, is newer than the judge. `meant`: a name that is known. */
  note(what: string, field?: string, meant?: string): void {
    const pointer = pointerOf([...this.#path, ...(field === undefined ? [] : [field])]);
    this.unknown.push({ place: { pointer }, what, ...(meant !== undefined && { meant }) });
  }
}

/** Judges a value. */
export type Shape = (value: unknown, walk: Walk) => void;

/** The lines with which Slack explains the first error: `must be … [json-pointer:/blocks/0/text/text]`. */
export function explanationsOf(faults: readonly SlackFault[]): string[] {
  let told: string | undefined;
  return faults
    .filter(({ error }) => error === faults[0]?.error)
    .flatMap(({ error, explanation = error, union }) => {
      const isNew = union !== undefined && union !== told;
      told = union;
      return isNew
        ? [`failed to match all allowed schemas [json-pointer:${union}]`, explanation]
        : [explanation];
    });
}
