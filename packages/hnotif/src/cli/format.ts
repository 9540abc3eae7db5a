import { stringify } from 'yaml';

/** Several objects as one stream of YAML documents, as kubectl reads them. */
export const toYaml = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object, { version: '1.1', aliasDuplicateObjects: false })).join('---\n');

/** An object as JSON that people can read. */
export const toJson = (object: object): string => `${JSON.stringify(object, null, 2)}\n`;

/** `1 plan`, `2 plans` */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
