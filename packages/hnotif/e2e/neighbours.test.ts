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
  const figures = await besideAll(attacks, 'short');
  if ('skipped' in figures) return skip(figures.skipped);
  const { latency, fared, leaked, conditions } = figures;
  expect({
    leaked,
    exits: fared.exits,
    exitedFor: fared.exitedFor,
    leaseLost: fared.leaseLost,
    missing: latency.beside.missing,
    victim: conditions.victim,
  }).toEqual({
    ...{ leaked: 0, exits: 0, exitedFor: '', leaseLost: false, missing: 0 },
    victim: 'Ready=True SinksReady, Durable=True Journalled',
  });
});
