/** An error as it is logged. */
interface PlainError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: PlainError;
}

/** A longer chain of causes is a loop. */
const MAX_CAUSES = 5;

/** The parts of an error that may be logged: type, message, code, stack and causes. */
export function plainError(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error)) return { type: typeof error, message: textOf(error) };
  const { cause } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: plainError(cause, depth + 1) }),
  };
}

/** Objects that are not errors may contain secrets. They are not shown. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : `a thrown ${typeof value}`);
