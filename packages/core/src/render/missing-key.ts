import { nearest } from '@hnotif/gotemplate';
import type { Source } from './context.ts';

const KEY = /(\$?(?:\.Plan\.Labels|\.Plan\.Annotations|(?<![\w)])\.Labels))\.(\w+)(?!\s*\|\s*default)/g;

/** The text before a key, if the template handles a missing key. */
const GUARD = /(?:\b(?:if|with|and|or|not|hasKey)|\bdefault\s+\S+)\s+$/;
/** Characters before a key in which that is looked for: not all before it, for each of thousands of keys. */
const BEFORE = 200;

/** Which label or annotation a template prints that is not there, and what to write instead; undefined: it is not known. */
export function missingKey(template: string, { plan }: Pick<Source, 'plan'>): string | undefined {
  const maps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '.Plan.Labels': plan.labels,
    '.Plan.Annotations': plan.annotations,
    '.Labels': plan.notificationLabels ?? {},
  };
  for (const { 0: path, 1: map = '', 2: key = '', index } of template.matchAll(KEY)) {
    const known = maps[map.replace('$', '')] ?? {};
    if (!Object.hasOwn(known, key) && !GUARD.test(template.slice(Math.max(0, index - BEFORE), index)))
      return hinted(path, map, key, known);
  }
  return undefined;
}

const hinted = (path: string, map: string, key: string, known: object): string => {
  const near = nearest(key, Object.keys(known));
  const guard = `write {{ with ${path} }}{{ . }}{{ end }}, or {{ ${path} | default "none" }}`;
  return `stands for ${path}, which is missing; ${near === undefined ? guard : `did you mean ${map}.${near}? If not, ${guard}`}`;
};
