import { stringify } from 'yaml';

/** Several objects as one stream of YAML documents, as kubectl reads them. */
export const toYaml = (objects: readonly object[]): string =>
  objects.map((object) => stringify(object, { version: '1.1', aliasDuplicateObjects: false })).join('---\n');

/** An object as JSON that people can read. */
export const toJson = (object: object): string => `${JSON.stringify(object, null, 2)}\n`;
