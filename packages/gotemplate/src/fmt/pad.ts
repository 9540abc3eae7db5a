import { runeCount } from '../value/text.ts';
import type { Spec } from './spec.ts';

/** Pads a text to the width. Zeros are only added on the left. */
export function pad(spec: Spec, text: string, fill: ' ' | '0' = spec.zero ? '0' : ' '): string {
  if (spec.width === 0) return text;
  const missing = spec.width - runeCount(text);
  if (missing <= 0) return text;
  return spec.minus ? text + ' '.repeat(missing) : fill.repeat(missing) + text;
}
