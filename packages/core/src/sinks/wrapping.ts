import { parseJson } from './json.ts';
import { holdsPlaceholder } from './placeholder.ts';

/** The most wrappings to remove: a configuration may be encoded twice and quoted. */
const LAYERS = 4;
const QUOTED = /^(['"`])([^]*)\1$/;
const BASE64 = /^[A-Za-z0-9+/_-][A-Za-z0-9+/_\s-]{6,}={0,2}$/;

type Wrapping = 'quotes' | 'base64';

const REMEDIES: Readonly<Record<Wrapping, string>> = {
  quotes: 'stands in quotes; remove them',
  base64:
    'is base64 once more: it was encoded twice; put the JSON itself into stringData, or encode it once for data',
};

/**
 * How a JSON object is wrapped: in base64 twice, in quotes that a shell should have removed. A remedy, or undefined: there is no JSON
 * object inside. Never shows the text. A wrapped configuration is an error, because the contract requires plain JSON.
 */
export function configWrapping(text: string): string | undefined {
  const found: Wrapping[] = [];
  let inner = text.trim();
  for (let layer = 0; layer < LAYERS; layer++) {
    const opened = unwrap(inner);
    if (opened === undefined) return undefined;
    if (!found.includes(opened.wrapping)) found.push(opened.wrapping);
    inner = opened.inner.trim();
    if (isObject(inner)) return found.map((wrapping) => REMEDIES[wrapping]).join('; and it ');
  }
  return undefined;
}

/** The same for the value of a field, also for a placeholder of it. `isValue`: whether a text has the field's form. */
export function valueWrapping(text: string, isValue: (inner: string) => boolean): string | undefined {
  if (holdsPlaceholder(text.trim(), 'value'))
    return 'holds a placeholder, which nothing has replaced; write the value itself';
  const opened = unwrap(text.trim());
  if (opened === undefined || !isValue(opened.inner.trim())) return undefined;
  return opened.wrapping === 'quotes'
    ? 'stands in quotes twice; remove the inner ones'
    : 'is base64; write the value itself';
}

/** `text`: without blanks at its ends. */
function unwrap(text: string): { readonly wrapping: Wrapping; readonly inner: string } | undefined {
  const [, quote = '', inside = ''] = QUOTED.exec(text) ?? [];
  if (quote !== '') {
    const json = quote === '"' ? parseJson(text) : undefined;
    const inner = json?.ok === true && typeof json.value === 'string' ? json.value : inside;
    return { wrapping: 'quotes', inner };
  }
  if (!BASE64.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString();
  return decoded.includes('\ufffd') ? undefined : { wrapping: 'base64', inner: decoded };
}

function isObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  const json = parseJson(text);
  return json.ok;
}
