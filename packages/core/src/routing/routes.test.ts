import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SELECTOR_OPERATORS, type LabelSelector, type Notification } from '../resources/notification.ts';
import { aNotification } from '../testing/notifications.ts';
import { Routes } from './routes.ts';
import { matches, type Labels } from './selector.ts';
import { runs } from '../testing/runs.ts';

const NAMESPACES = ['a', 'b'];
const NAMES = ['n0', 'n1', 'n2'];
// Names that every object has are labels like any other.
const KEYS = ['team', 'env', 'constructor'];
const VALUES = ['x', 'y', ''];

const labels: fc.Arbitrary<Labels> = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES), {
  maxKeys: 3,
});
const expression = fc
  .record({
    key: fc.constantFrom(...KEYS),
    operator: fc.constantFrom(...SELECTOR_OPERATORS),
    values: fc.array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 }),
  })
  .map((one) => (one.operator.endsWith('n') ? one : { ...one, values: [] }));
const selector: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: labels,
  matchExpressions: fc.array(expression, { maxLength: 3 }),
});

const namespace = fc.constantFrom(...NAMESPACES);
const name = fc.constantFrom(...NAMES);
const change = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('setPlan' as const), namespace, name, labels }), weight: 3 },
  fc.record({ do: fc.constant('deletePlan' as const), namespace, name }),
  fc.record({ do: fc.constant('setNotification' as const), namespace, name, selector, uid: fc.uuid() }),
  fc.record({ do: fc.constant('deleteNotification' as const), namespace, name }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Keeps everything and compares everything with everything. */
class BruteForce {
  readonly plans = new Map<string, { namespace: string; labels: Labels }>();
  readonly notifications = new Map<string, Notification>();

  apply(change: Change): void {
    const key = `${change.namespace}/${change.name}`;
    switch (change.do) {
      case 'setPlan':
        this.plans.set(key, { namespace: change.namespace, labels: change.labels });
        break;
      case 'deletePlan':
        this.plans.delete(key);
        break;
      case 'setNotification':
        this.notifications.set(key, aNotification(change));
        break;
      case 'deleteNotification':
        this.notifications.delete(key);
        break;
    }
  }

  for(namespace: string, plan: string): Notification[] {
    const found = this.plans.get(`${namespace}/${plan}`);
    if (found === undefined) return [];
    return NAMES.flatMap((name) => this.notifications.get(`${namespace}/${name}`) ?? []).filter((one) =>
      matches(one.selector, found.labels),
    );
  }

  matched(namespace: string, name: string): number {
    const notification = this.notifications.get(`${namespace}/${name}`);
    if (notification === undefined) return 0;
    return [...this.plans.values()].filter(
      (plan) => plan.namespace === namespace && matches(notification.selector, plan.labels),
    ).length;
  }

  counts(): Map<string, number> {
    return new Map(
      [...this.notifications.values()].map(({ namespace, name }) => [
        `${namespace}/${name}`,
        this.matched(namespace, name),
      ]),
    );
  }
}

function apply(routes: Routes, change: Change): readonly Notification[] {
  switch (change.do) {
    case 'setPlan':
      return routes.setPlan(change);
    case 'deletePlan':
      return routes.deletePlan(change.namespace, change.name);
    case 'setNotification':
      routes.setNotification(aNotification(change));
      return [];
    case 'deleteNotification':
      routes.deleteNotification(change.namespace, change.name);
      return [];
  }
}

describe('Routes', () => {
  it('equal a brute-force match after any sequence of changes, both ways', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40, size: 'max' }), (changes) => {
        const routes = new Routes();
        const brute = new BruteForce();
        for (const one of changes) {
          const before = brute.counts();
          brute.apply(one);
          const changed = apply(routes, one).map(({ namespace, name }) => `${namespace}/${name}`);
          const after = brute.counts();
          if (one.do.endsWith('Plan'))
            expect(changed.sort()).toEqual(
              [...after.keys()].filter((key) => before.get(key) !== after.get(key)).sort(),
            );
          for (const ns of NAMESPACES) {
            for (const each of NAMES) {
              expect(routes.for(ns, each)).toEqual(brute.for(ns, each));
              expect(routes.matched(ns, each)).toBe(brute.matched(ns, each));
            }
          }
          expect(routes.plans).toBe(brute.plans.size);
          expect(routes.notifications).toBe(brute.notifications.size);
          expect(routes.matches).toBe([...after.values()].reduce((sum, count) => sum + count, 0));
        }
      }),
      { seed: 4, numRuns: runs(100) },
    );
  });

  const labelled = (label: string): Notification =>
    aNotification({ name: label, selector: { matchLabels: { team: label }, matchExpressions: [] } });

  it('give a notification that was created again the place of the old one', () => {
    const routes = new Routes();
    routes.setPlan({ namespace: 'team-a', name: 'p', labels: { team: 'x' } });
    routes.setNotification(labelled('x'));
    routes.setNotification({ ...labelled('x'), uid: 'uid-n2' });
    expect(routes.for('team-a', 'p').map(({ uid }) => uid)).toEqual(['uid-n2']);
    expect(routes.matched('team-a', 'x')).toBe(1);
  });

  it('answer with the present notification when only its sinks have changed', () => {
    const routes = new Routes();
    routes.setPlan({ namespace: 'team-a', name: 'p', labels: { team: 'x' } });
    routes.setNotification(labelled('x'));
    routes.setNotification({ ...labelled('x'), onEvents: ['Start'] });
    expect(routes.for('team-a', 'p')[0]?.onEvents).toEqual(['Start']);
  });

  it('know nothing of what was never said', () => {
    const routes = new Routes();
    expect(routes.for('a', 'p')).toEqual([]);
    expect(routes.matched('a', 'n')).toBe(0);
    expect(routes.deletePlan('a', 'p')).toEqual([]);
  });

  it('ask few in vain among very many of one namespace', () => {
    const routes = new Routes();
    let asked = 0;
    for (let n = 0; n < 10_000; n++) {
      const matchLabels = { env: 'prod', team: `t${n}` };
      routes.setNotification(
        aNotification({ name: `n${n}`, selector: { matchLabels, matchExpressions: [] } }),
      );
    }
    // Each requirement that is held against the labels looks into them.
    const counted = new Proxy<Record<string, string>>(
      { env: 'prod', team: 't7' },
      {
        getOwnPropertyDescriptor(target, key) {
          asked++;
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    routes.setPlan({ namespace: 'team-a', name: 'p', labels: counted });
    expect(routes.for('team-a', 'p').map(({ name }) => name)).toEqual(['n7']);
    routes.setPlan({ namespace: 'team-a', name: 'p', labels: { env: 'prod', team: 't8' } });
    expect(routes.for('team-a', 'p').map(({ name }) => name)).toEqual(['n8']);
    expect(asked).toBeLessThan(100);
  });

  it('ask few after a change of a label, however many name it', () => {
    const routes = new Routes();
    const environments = ['staging', 'production'];
    for (let app = 0; app < 500; app++)
      for (const environment of environments)
        routes.setNotification(
          aNotification({
            name: `${environment}-${app}`,
            uid: `${environment}-${app}`,
            selector: { matchLabels: { environment, app: `app-${app}` }, matchExpressions: [] },
          }),
        );
    let looks = 0;
    const inEnvironment = (environment: string): Labels =>
      new Proxy(
        { environment, app: 'app-7' },
        {
          getOwnPropertyDescriptor: (target, key) => {
            looks++;
            return Reflect.getOwnPropertyDescriptor(target, key);
          },
        },
      );
    const plan = { namespace: 'team-a', name: 'night' };
    routes.setPlan({ ...plan, labels: inEnvironment('staging') });
    const changed = routes.setPlan({ ...plan, labels: inEnvironment('production') });
    expect(changed.map(({ name }) => name)).toEqual(['production-7', 'staging-7']);
    expect(routes.for('team-a', 'night').map(({ name }) => name)).toEqual(['production-7']);
    expect(looks).toBeLessThan(100);
  });
});
