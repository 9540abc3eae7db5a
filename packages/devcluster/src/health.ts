/** The checks of this server. Those of a real one concern parts that are not here. */
const CHECKS = ['ping'];

/**
 * Answers `/healthz`, `/livez`, `/readyz`, and a single check (`/readyz/ping`). A server that answers is healthy. Undefined for other
 * paths.
 */
export function healthPage(path: string, query: URLSearchParams): string | undefined {
  const [, page = '', check = ''] = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(path) ?? [];
  if (page === '' || (check !== '' && !CHECKS.includes(check))) return undefined;
  if (check !== '' || !query.has('verbose')) return 'ok';
  const excluded = query.getAll('exclude');
  const lines = CHECKS.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`);
  return `${lines.join('')}${page} check passed\n`;
}
