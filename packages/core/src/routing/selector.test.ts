import { describe, expect, it } from 'vitest';
import type { LabelExpression } from '../resources/notification.ts';
import { matches, type Labels } from './selector.ts';

const by = (
  key: string,
  operator: LabelExpression['operator'],
  ...values: string[]
): { matchLabels: Record<string, string>; matchExpressions: LabelExpression[] } => ({
  matchLabels: {},
  matchExpressions: [{ key, operator, values }],
});

describe('matches', () => {
  it('an empty selector matches everything', () => {
    expect(matches({ matchLabels: {}, matchExpressions: [] }, {})).toBe(true);
  });

  it.each([
    [by('env', 'In', 'dev', 'qa'), true, false, false],
    [by('env', 'NotIn', 'dev', 'qa'), false, true, true],
    [by('env', 'Exists'), true, true, false],
    [by('env', 'DoesNotExist'), false, false, true],
  ])('%j: env=dev %s, env=prod %s, no env %s', (selector, dev, prod, none) => {
    const plans: Labels[] = [{ env: 'dev' }, { env: 'prod' }, { other: 'dev' }];
    expect(plans.map((labels) => matches(selector, labels))).toEqual([dev, prod, none]);
  });

  it('all conditions must hold', () => {
    const selector = { ...by('env', 'Exists'), matchLabels: { team: 'a', tier: 'web' } };
    expect(matches(selector, { team: 'a', tier: 'web', env: '' })).toBe(true);
    expect(matches(selector, { team: 'a', tier: 'db', env: '' })).toBe(false);
    expect(matches(selector, { team: 'a', tier: 'web' })).toBe(false);
  });

  it('a label with the empty value is there', () => {
    expect(matches(by('mute', 'DoesNotExist'), { mute: '' })).toBe(false);
    expect(matches({ matchLabels: { mute: '' }, matchExpressions: [] }, {})).toBe(false);
  });

  it('what every object has is no label', () => {
    expect(matches(by('constructor', 'Exists'), {})).toBe(false);
    expect(matches(by('toString', 'DoesNotExist'), {})).toBe(true);
  });
});
