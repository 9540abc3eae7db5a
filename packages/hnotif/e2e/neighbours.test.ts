import { expect, it } from 'vitest';
import { ROWS } from '../../lab/src/scenarios/neighbours/rows.ts';

/** What an attack must not do at all. How long others wait is measured by `npm run neighbours`, on a quiet machine. */
const CHEAP = ['7', '8', '9', '11', '12', '13'];

for (const attack of ROWS.filter(({ row }) => CHEAP.includes(row)))
  it(`row ${attack.row} costs another team nothing`, async ({ skip }) => {
    const figures = await attack.run('short');
    if ('skipped' in figures) return skip(figures.skipped);
    const { latency, fared, leaked, conditions } = figures;
    expect({
      leaked,
      exits: fared?.exits ?? 0,
      leaseLost: fared?.leaseLost ?? false,
      missing: latency?.beside.missing ?? 0,
      victim: conditions?.victim ?? '',
    }).toEqual({
      ...{ leaked: 0, exits: 0, leaseLost: false, missing: 0 },
      victim: conditions === undefined ? '' : 'Ready=True SinksReady, Durable=True Journalled',
    });
  });
