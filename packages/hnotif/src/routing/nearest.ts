import { labelOf, meets, type Labels, type Requirement } from './selector.ts';

/** Plans that are compared: a namespace may have thousands, and any near one helps. */
const COMPARED = 200;

/** Why a selector matches no plan, for a person: the plan that lacks least, and what it lacks. `count`: how many plans there are. */
export function nearestInWords(
  plans: Iterable<readonly [name: string, labels: Labels]>,
  count: number,
  requirements: readonly Requirement[],
): string {
  let nearest:
    { readonly name: string; readonly labels: Labels; readonly unmet: readonly Requirement[] } | undefined;
  let compared = 0;
  for (const [name, labels] of plans) {
    if (compared++ === COMPARED) break;
    const unmet = requirements.filter((requirement) => !meets(labels, requirement));
    if (nearest === undefined || unmet.length < nearest.unmet.length) nearest = { name, labels, unmet };
  }
  if (nearest === undefined) return 'no plan matches: the namespace has none';
  const { name, labels, unmet } = nearest;
  const of = count === 1 ? 'the only plan is' : `of ${count} plans the nearest is`;
  return `no plan matches: ${of} ${name}, ${unmet.map((one) => differs(labels, one)).join(', and ')}`;
}

function differs(labels: Labels, { key, kind, values }: Requirement): string {
  const value = labelOf(labels, key);
  const has = value === undefined ? `which has no label ${key}` : `whose label ${key} is ${shown(value)}`;
  switch (kind) {
    case 'in':
      return `${has}; the selector asks for ${values.slice(0, 5).map(shown).join(' or ')}`;
    case 'notIn':
      return `${has}; the selector excludes that value`;
    case 'present':
      return `${has}; the selector asks for one`;
    case 'absent':
      return `${has}; the selector asks for none`;
  }
}

const shown = (value: string): string => (value === '' ? '""' : value);
