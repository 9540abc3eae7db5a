import { hash } from 'node:crypto';
import type { TemplateSource } from './template.ts';

const ids = new WeakMap<TemplateSource, string>();

/** A digest of name and text, computed once for each object. */
export function idOf(template: TemplateSource): string {
  let id = ids.get(template);
  if (id === undefined) {
    // A name has no line break.
    id = hash('sha256', `${template.name}\n${template.text}`, 'base64');
    ids.set(template, id);
  }
  return id;
}
