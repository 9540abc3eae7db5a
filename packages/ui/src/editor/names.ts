/** The names that the manifest has, and that errors show. */
export const CONFIG_MAP = 'night-words';
export const KEY = 'template.gotpl';
