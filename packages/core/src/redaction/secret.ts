/** What is shown instead of a credential. */
export const REDACTED = '[redacted]';

/**
 * A credential. String concatenation, JSON, `console.log` and assertion diffs show `[redacted]`. Only `reveal()` gives the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value. Call it only where the value is sent to its receiver. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}
