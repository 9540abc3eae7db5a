import type { Params } from './params.ts';

export type PreviewReading =
  | { readonly ok: true; readonly disabled: boolean }
  | { readonly ok: false; readonly description: string };

/** A Boolean of a form or of JSON. */
export const isTrue = (text = ''): boolean => /^(?:true|yes|1)$/i.test(text.trim());

/** Reads `link_preview_options`, a JSON object, or the older switch. */
export function readPreview(params: Params): PreviewReading {
  const { link_preview_options: options = '', disable_web_page_preview: old = '' } = params;
  if (options === '' || options === 'null') return { ok: true, disabled: isTrue(old) };
  let json: unknown;
  try {
    json = JSON.parse(options);
  } catch {
    return { ok: false, description: "can't parse link preview options JSON object" };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { ok: false, description: 'object expected as link preview options' };
  }
  const disabled: unknown = 'is_disabled' in json ? json.is_disabled : false;
  return typeof disabled === 'boolean'
    ? { ok: true, disabled }
    : { ok: false, description: 'field "is_disabled" must be of type Boolean' };
}
