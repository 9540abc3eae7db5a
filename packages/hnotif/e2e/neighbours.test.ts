import { expect, it } from 'vitest';
import { besideAll } from '../../lab/src/scenarios/neighbours/beside.ts';
import { ATTACKS } from '../../lab/src/scenarios/neighbours/rows.ts';

/**
 * What an attack must not do at all; `shares.ts` shows that a team gets no more than its share of the requests. How long others wait is
 * measured by `npm run neighbours`, on a quiet machine.
 */
const CHEAP = ['7', '8', '9'];

it(`rows ${CHEAP.join(', ')}, at once, cost another team nothing`, async ({ skip }) => {
  const attacks = ATTACKS.filter(({ row }) => CHEAP.includes(row));
  const result = await besideAll(attacks, 'short');
  if ('skipped' in result) return skip(result.skipped);
  const { figures, words } = result;
  expect(figures).toMatchObject({ 'leaked bytes': 0, exits: 0, 'Leases lost': 0, 'not arrived': 0 });
  expect(words).toContain('victim: Ready=True SinksReady, Durable=True Journalled');
});
