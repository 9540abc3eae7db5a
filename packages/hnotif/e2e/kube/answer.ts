interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** An answer without what no two servers have in common: `201`, or the code, the reason and what is wrong where. */
export function answerOf({ code, body }: { readonly code: number; readonly body: unknown }): string {
  if (code < 300) return String(code);
  const { reason = '', message = '', details } = body as Status;
  const causes = (details?.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`);
  // A real server names some of them twice, which kubectl does not show.
  const all = [...new Set(causes)].sort();
  return [code, reason, ...(all.length > 0 ? [all.join('; ')] : [message])].join(' ');
}
