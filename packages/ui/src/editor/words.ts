import { TIME } from '@hnotif/gotemplate';
import { functionRows, structRows } from '@hnotif/core/render';

/** The fields and functions of templates, as docs/reference has them. The page has this module as data (`scripts/ui-files.ts`). */
export const STRUCTS = structRows();
export const FUNCTIONS = functionRows();
/** What can be asked of a time. */
export const TIME_METHODS = [...TIME.methods].map(([name, { type }]) => ({
  name,
  signature: type.name.replace(/^func/, ''),
}));
