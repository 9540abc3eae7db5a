import type { Route } from './http.ts';

/** The result of a check: undefined if all is well, a text without credentials if not. */
export type Finding = string | undefined | { readonly ok: boolean; readonly words: string };

export type Checks = Readonly<Record<string, () => Finding>>;

interface HealthReport {
  readonly ok: boolean;
  /** One line for each check, in the format of Kubernetes' own components: `[+]cluster ok`, `[-]plans not synced`. */
  readonly body: string;
}

/** Runs every check. */
function report(name: string, checks: Checks): HealthReport {
  const lines = Object.entries(checks).map(([check, ask]) => {
    const found = ask() ?? { ok: true, words: 'ok' };
    const { ok, words } = typeof found === 'string' ? { ok: false, words: found } : found;
    return { ok, text: `[${ok ? '+' : '-'}]${check} ${words}` };
  });
  const ok = lines.every((line) => line.ok);
  const verdict = `${name} check ${ok ? 'passed' : 'failed'}`;
  return { ok, body: [...lines.map((line) => line.text), verdict, ''].join('\n') };
}

/**
 * `/healthz`: whether the process answers. It checks nothing else, because a restart repairs neither a receiver nor the cluster.
 * `/readyz`: whether the process does its work.
 */
export function healthRoutes(checks: () => Checks): Readonly<Record<string, Route>> {
  const answer = (name: string, of: () => Checks): Route => {
    return () => {
      const { ok, body } = report(name, of());
      return { status: ok ? 200 : 503, contentType: 'text/plain; charset=utf-8', body };
    };
  };
  return {
    '/healthz': answer('healthz', () => ({ ping: () => undefined })),
    '/readyz': answer('readyz', checks),
  };
}
