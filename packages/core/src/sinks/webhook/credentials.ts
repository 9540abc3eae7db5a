import type { WebhookConfig } from './config.ts';
import { isPlainSegment } from './plain-segment.ts';

/** Shorter pieces of a header or path are words more often than credentials. */
const SHORTEST_PIECE = 8;

/** Headers whose value is not a credential. Error texts of receivers may show their words. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/**
 * All credentials of a configuration that a receiver may repeat: the address and its parts (a token is often a path segment or a
 * query value), except plain words; header values, also without their scheme; the signing secrets.
 */
export function credentialsOf(config: WebhookConfig, url: URL): string[] {
  const values = config.headers.flatMap(([name, value]) => {
    const text = value.reveal();
    // `Bearer x`, `Basic dXNlcjpwYXNz`: servers echo the part after the scheme, or what it decodes to.
    const credential = /^\S+\s+(.*)$/.exec(text)?.[1] ?? '';
    const decoded = /^basic$/i.test(text.split(' ', 1)[0] ?? '')
      ? Buffer.from(credential, 'base64').toString()
      : '';
    const password = decoded.slice(decoded.indexOf(':') + 1);
    // `session=x; theme=dark`, `Token token="x"`.
    const pieces = text.split(/[\s;,="]+/).filter((piece) => piece.length >= SHORTEST_PIECE);
    return HARMLESS.has(name.toLowerCase()) ? [] : [text, credential, decoded, password, ...pieces];
  });
  const secret = url.pathname.split('/').filter((segment) => !isPlainSegment(segment));
  const segments = secret.filter((segment) => segment.length >= SHORTEST_PIECE);
  // A path of plain words is worth reading in an error.
  const path = secret.length > 0 ? [url.pathname] : [];
  return [
    ...(secret.length > 0 || url.search !== '' ? [url.href, url.pathname + url.search] : []),
    ...path,
    ...segments,
    ...url.searchParams.values(),
    ...values,
    ...config.signingSecrets.flatMap((secret) => signingForms(secret.reveal())),
  ].filter((text) => text !== '/');
}

/** A signing secret as it is written, its base64 alone, also without padding, and the key as text. */
function signingForms(secret: string): string[] {
  const base64 = secret.replace(/^whsec_/, '');
  return [secret, base64, base64.replace(/=+$/, ''), Buffer.from(base64, 'base64').toString()];
}
