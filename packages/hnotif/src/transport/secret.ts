const REDACTED = '[redacted]';

/** Shorter values are not looked for: cutting every `1` or `on` out of a text would only hide what it says. */
const SHORTEST = 4;

/**
 * A credential on its way through the process. It prints as `[redacted]` wherever an object may be printed by
 * accident: string concatenation, JSON, `console.log`, an assertion's diff. Only `reveal()` gives the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: call it where the value leaves for its receiver, and nowhere else. */
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

/**
 * `text` with every known credential replaced by `[redacted]`: for texts that came from outside (a receiver's
 * error body may echo the request). A credential is found as it is and in the forms in which servers echo it:
 * percent-encoded and decoded, JSON- and HTML-escaped, base64 and base64url. Values under 4 characters are not
 * looked for. A form that was cut in half is not found: redact first, shorten afterwards.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set<string>();
  for (const secret of secrets) if (secret.length >= SHORTEST) addForms(secret, forms);
  if (forms.size === 0) return text;
  // The longest first: where one credential contains another, nothing of the longer one may stay behind.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  // Split, not a regular expression of all forms: that has a limit of size, and its error shows the whole pattern.
  const clean = longestFirst.reduce((parts, form) => parts.flatMap((part) => part.split(form)), [text]);
  return clean.join(REDACTED);
}

function addForms(secret: string, forms: Set<string>): void {
  const bytes = Buffer.from(secret);
  // By way of bytes: a lone surrogate would make encodeURI throw.
  const text = bytes.toString();
  const percent = encodeURIComponent(text);
  const candidates = [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURI(text),
    percentDecoded(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    htmlEscaped(secret),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
  for (const form of candidates) if (form.length >= SHORTEST) forms.add(form);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded at all, so nobody will decode it.
    return text;
  }
}

const htmlEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
