/**
 * A failed request. `status`: the HTTP status; 0: there was no answer. `reason`: the API server's word (`NotFound`, `Conflict`, `Expired`, …)
 * or one of ours: `Unreachable`, `Timeout`, `Aborted`, `Unauthenticated`, `Fault` without an answer; `NotJson`, `NotAList`, `TooLarge`,
 * `ForeignKind` for an answer that cannot be used. The message has no credentials. `summary`: the message for
 * readers who are not authenticated, without the output of plugins.
 */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly status: number;
  readonly reason: string;
  /** How long the server asked us to wait (milliseconds); undefined: it did not. */
  readonly retryAfterMs: number | undefined;
  readonly summary: string;

  constructor(status: number, reason: string, message: string, retryAfterMs?: number, summary = message) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.summary = summary;
  }
}

/** The requested version is gone: a new list is needed. */
export const isExpired = (error: unknown): boolean => error instanceof KubeError && error.status === 410;

/** The API server could not be reached, or gave no answer in time. */
export const isUnanswered = ({ status, reason }: KubeError): boolean =>
  status === 0 && (reason === 'Unreachable' || reason === 'Timeout');

/** The requested version is newer than the server's, as after a restore from a backup: a new list is needed. */
export const isFromTheFuture = (error: unknown): boolean =>
  error instanceof KubeError && error.message.includes('Too large resource version');

/**
 * A `test` of a JSON patch has failed. An API server says so without a cause; it names one for each field where it refuses the object that
 * the patch would make.
 */
export const isFailedTest = ({ status, message }: KubeError): boolean =>
  status === 422 && message.includes('the server rejected our request due to an error in our request');

/** The reasons of answers without a `Status`, as for an API group that is not served. */
const WORDS: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound' };

const UNKNOWN =
  '; the API server knows none of our credentials: have they expired, or are they of another cluster?';

/**
 * Reads a `Status` object. Other bodies, such as a proxy's page, give a plain sentence. `httpStatus`: 0 for an ERROR event of a watch,
 * whose status is in the object.
 */
export function errorFromStatus(httpStatus: number, body: unknown, retryAfterMs?: number): KubeError {
  const { message, reason, code } = statusFields(body);
  const status = httpStatus === 0 ? code : httpStatus;
  return new KubeError(
    status,
    reason || (WORDS[status] ?? `HTTP${status}`),
    (message || `the API server answered ${status}`) + (status === 401 ? UNKNOWN : ''),
    retryAfterMs,
  );
}

function statusFields(body: unknown): { message: string; reason: string; code: number } {
  const fields: Record<string, unknown> =
    typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status' ? { ...body } : {};
  return {
    message: typeof fields.message === 'string' ? fields.message : '',
    reason: typeof fields.reason === 'string' ? fields.reason : '',
    code: typeof fields.code === 'number' ? fields.code : 0,
  };
}
