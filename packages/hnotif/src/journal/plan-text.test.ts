import { describe, expect, it } from 'vitest';
import { aPlan } from '../../../core/src/testing/plans.ts';
import { planText, readPlan } from './plan-text.ts';

const subject = { namespace: 'team-a', name: 'orders', uid: 'uid-1' };
const AT = Date.parse('2026-01-05T20:00:00.000Z');

describe('the state of a plan in its entry', () => {
  const plan = { ...aPlan(), ...subject, labels: { team: 'shop' }, annotations: { owner: 'ops' } };

  it.each([undefined, AT])('is read as it was written, deleted or not (%s)', (deletedAt) => {
    const read = readPlan(planText({ plan, deletedAt }, false), subject);
    expect(read.deletedAt).toBe(deletedAt);
    const { labels, annotations, targets, namespace, name, uid } = read.plan;
    expect({ labels, annotations, targets, namespace, name, uid }).toEqual({
      ...{ labels: plan.labels, annotations: plan.annotations, targets: plan.targets },
      ...subject,
    });
  });

  it('without room has no targets', () => {
    const { plan: read } = readPlan(planText({ plan, deletedAt: AT }, true), subject);
    expect([read.labels, read.targets]).toEqual([{ team: 'shop' }, []]);
  });

  it.each([undefined, '{', '[]', '{"metadata":{"deletionTimestamp":"soon"}}', 'deflate-raw+base64:!'])(
    'that is not valid is a plan of which only the name is known (%s)',
    (text) => {
      const { plan: read, deletedAt } = readPlan(text, subject);
      expect([read.name, read.labels, read.targets, deletedAt]).toEqual(['orders', {}, [], undefined]);
    },
  );
});
