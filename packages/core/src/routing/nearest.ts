import { nearest as nearestName } from '@hnotif/gotemplate';
import { labelOf, meets, type Labels, type Requirement } from './selector.ts';

/** How many plans are compared. A namespace may have thousands. */
const COMPARED = 200;

/** How many names are compared with a key or value to find a typing error… */
const CANDIDATES = 20;
/** …their longest length… */
const LONGEST = 32;
/** …and for how many requirements. A namespace may have thousands of selectors without a match. */
const SUGGESTIONS = 2;

/** A requirement, and the key and value that were probably meant, if no plan has them. */
interface Asked {
  readonly requirement: Requirement;
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** The requirement with both corrected. */
  readonly meant: Requirement;
}

type LabelledPlan = readonly [name: string, labels: Labels];

/** Why a selector matches no plan, as a message: the nearest plan, and what it lacks. `count`: the number of plans. */
export function nearestInWords(
  plans: Iterable<LabelledPlan>,
  count: number,
  requirements: readonly Requirement[],
): string {
  const compared: LabelledPlan[] = [];
  for (const plan of plans) if (compared.push(plan) === COMPARED) break;
  const asked = askedOf(compared, requirements);
  let nearest: { readonly plan: LabelledPlan; readonly lacks: number; readonly differs: number } | undefined;
  for (const plan of compared) {
    const [, labels] = plan;
    const lacks = asked.filter(({ requirement }) => !meets(labels, requirement)).length;
    if (nearest !== undefined && lacks > nearest.lacks) continue;
    const differs = asked.filter(({ meant }) => !meets(labels, meant)).length;
    if (nearest === undefined || lacks < nearest.lacks || differs < nearest.differs)
      nearest = { plan, lacks, differs };
  }
  if (nearest === undefined) return 'no plan matches: the namespace has no plan';
  const [name, labels] = nearest.plan;
  const which = count === 1 ? 'the only plan' : `the nearest of ${count} plans`;
  return `no plan matches; ${which} is ${name}: ${differencesOf(labels, asked)}`;
}

/** Why a selector does not match a plan with these labels, as a message. */
export const differenceInWords = (labels: Labels, requirements: readonly Requirement[]): string =>
  differencesOf(labels, askedOf([['', labels]], requirements));

const differencesOf = (labels: Labels, asked: readonly Asked[]): string =>
  asked
    .filter(({ requirement }) => !meets(labels, requirement))
    .map((one) => differs(labels, one))
    .join(', and ');

function askedOf(plans: readonly LabelledPlan[], requirements: readonly Requirement[]): Asked[] {
  const keys = new Set(requirements.map(({ key }) => key));
  let left = SUGGESTIONS;
  return requirements.map((requirement) => {
    const { key, kind, values } = requirement;
    const asIs: Asked = { requirement, key: undefined, value: undefined, meant: requirement };
    if (kind === 'notIn' || kind === 'absent' || left === 0) return asIs;
    const isKnown = plans.some(([, labels]) => labelOf(labels, key) !== undefined);
    const meantKey = isKnown ? undefined : meantBy(key, otherKeys(plans, keys));
    const [value] = values;
    // With several values, the wrong one is not known.
    const isOdd = value !== undefined && values.length === 1 && !isFound(plans, meantKey ?? key, value);
    const meantValue = isOdd ? meantBy(value, valuesOf(plans, meantKey ?? key)) : undefined;
    if (!isKnown || isOdd) left--;
    if (meantKey === undefined && meantValue === undefined) return asIs;
    return {
      ...{ requirement, key: meantKey, value: meantValue },
      meant: { kind, key: meantKey ?? key, values: meantValue === undefined ? values : [meantValue] },
    };
  });
}

function* otherKeys(plans: readonly LabelledPlan[], asked: ReadonlySet<string>): Generator<string> {
  for (const [, labels] of plans) for (const key of Object.keys(labels)) if (!asked.has(key)) yield key;
}

function* valuesOf(plans: readonly LabelledPlan[], key: string): Generator<string> {
  for (const [, labels] of plans) {
    const value = labelOf(labels, key);
    if (value !== undefined) yield value;
  }
}

const isFound = (plans: readonly LabelledPlan[], key: string, value: string): boolean =>
  plans.some(([, labels]) => labelOf(labels, key) === value);

function meantBy(name: string, names: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const candidates = new Set<string>();
  for (const candidate of names)
    if (candidate.length <= LONGEST && candidates.add(candidate).size === CANDIDATES) break;
  return nearestName(name, candidates);
}

function differs(labels: Labels, { requirement, key: meantKey, value: meantValue }: Asked): string {
  const { key, kind, values } = requirement;
  const value = labelOf(labels, key);
  const wanted = values.slice(0, 5).map(shown).join(' or ');
  const meant = [meantKey, meantValue && shown(meantValue)].filter((part) => part !== undefined).join('=');
  const hint = meant === '' ? '' : ` (did you mean ${meant}?)`;
  if (value === undefined) {
    const asked = values.length === 1 ? `=${wanted}` : values.length > 1 ? ` (wanted: ${wanted})` : '';
    return `it has no label ${key}${asked}${hint}`;
  }
  const is = `its label ${key} is ${shown(value)}`;
  switch (kind) {
    case 'in':
      return `${is}, not ${wanted}${hint}`;
    case 'notIn':
      return `${is}, which the selector excludes`;
    case 'present':
    case 'absent':
      return `it must not have the label ${key}`;
  }
}

const shown = (value: string): string => (value === '' ? '""' : value);
