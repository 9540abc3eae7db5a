interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** An answer without what no two servers have in common: `201`, or the code, the reason and what is wrong where. */
export function answerOf({ code, body }: { readonly code: number; readonly body: unknown }): string {
  if (code < 300) return String(code);
  const { reason = '', message = '', details } = body as Status;
  const causes = (details?.causes ?? [])
    .map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`)
    .sort();
  return [code, reason, ...(causes.length > 0 ? [causes.join('; ')] : [message])].join(' ');
}
