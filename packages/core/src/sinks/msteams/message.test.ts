import { expect, it } from 'vitest';
import { exampleSource } from '../../render/example.ts';
import { FORMS } from './message.ts';

it('an error of many bytes leaves room for the failed targets', () => {
  const source = exampleSource('Failure', 'msteams', 'shutdown');
  const [target] = source.event.targets;
  const failed = { name: 'orders-db', executor: 'rds', message: '', ...target, state: 'Failed' };
  const event = { ...source.event, errorMessage: '🇺🇦'.repeat(5_000), targets: [failed] };
  const text = JSON.stringify(FORMS.builtin({ ...source, event }));
  expect(text).toContain('🇺🇦');
  expect(text).toContain(failed.name);
});
