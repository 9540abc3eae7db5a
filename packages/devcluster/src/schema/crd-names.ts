import type { JsonObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { invalid, required } from './cause.ts';
import { dnsLabelProblems } from './dns.ts';
import { child, index } from './path.ts';
import { listAt, objectAt, textAt } from './read.ts';

/** Checks `spec.names` of a CRD. */
export function namesCauses(spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const names = objectAt(spec, 'names') ?? {};
  const at = (name: string): string => child('spec.names', name);
  const check = (path: string, text: string, prefix: string): void => {
    const problems = text === '' ? [] : dnsLabelProblems(prefix === '' ? text : text.toLowerCase());
    if (problems.length > 0) causes.push(invalid(path, text, prefix + problems.join(',')));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  for (const name of ['plural', 'kind']) if (textAt(names, name) === '') causes.push(required(at(name)));
  check(at('plural'), textAt(names, 'plural'), '');
  check(at('singular'), textAt(names, 'singular'), '');
  check(at('kind'), textAt(names, 'kind'), mixed);
  check(at('listKind'), textAt(names, 'listKind'), mixed);
  for (const list of ['shortNames', 'categories']) {
    listAt(names, list).forEach((name, position) => {
      const text = typeof name === 'string' ? name : '';
      if (text === '') causes.push(required(index(at(list), position)));
      check(index(at(list), position), text, '');
    });
  }
  if (textAt(names, 'kind') !== '' && textAt(names, 'kind') === textAt(names, 'listKind')) {
    causes.push(invalid(at('listKind'), textAt(names, 'listKind'), 'kind and listKind may not be the same'));
  }
  return causes;
}
