interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** The parts of an answer that all servers share: `201`, or the code, the reason, and the causes with their fields. */
export function answerOf({ code, body }: { readonly code: number; readonly body: unknown }): string {
  if (code < 300) return String(code);
  const { reason = '', message = '', details } = body as Status;
  const causes = (details?.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`);
  // A real server repeats some causes. kubectl does not show the repetitions.
  const all = [...new Set(causes)].sort();
  return [code, reason, ...(all.length > 0 ? [all.join('; ')] : [message])].join(' ');
}
