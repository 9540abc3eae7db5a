import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Decimal, add, divide, fromFloat, multiply, subtract, toFloat } from './decimal.ts';

const SEED = { seed: 20 };

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal: fc.Arbitrary<Decimal> = fc.record({
  coefficient: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  exponent: fc.integer({ min: -40, max: 40 }),
});

/** The coefficient for an exponent smaller than all in these tests. */
const scaled = ({ coefficient, exponent }: Decimal): bigint => coefficient * 10n ** BigInt(exponent + 100);

describe('decimals', () => {
  it('have the digits of the float', () => {
    expect([0, 0.1, -1.25, 1e300, 5e-324, 123].map(fromFloat)).toEqual([
      { coefficient: 0n, exponent: 0 },
      { coefficient: 1n, exponent: -1 },
      { coefficient: -125n, exponent: -2 },
      { coefficient: 1n, exponent: 300 },
      { coefficient: 5n, exponent: -324 },
      { coefficient: 123n, exponent: 0 },
    ]);
    expect(() => fromFloat(NaN)).toThrow('Cannot create a Decimal from NaN');
    expect(() => fromFloat(-Infinity)).toThrow('Cannot create a Decimal from -Inf');
  });

  it('convert back to the same float', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(toFloat(fromFloat(value))).toBe(value === 0 ? 0 : value);
      }),
      SEED,
    );
  });

  it('add, subtract and multiply exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(scaled(add(a, b))).toBe(scaled(a) + scaled(b));
        expect(scaled(subtract(a, b))).toBe(scaled(a) - scaled(b));
        expect(scaled(multiply(a, b)) * 10n ** 100n).toBe(scaled(a) * scaled(b));
      }),
      SEED,
    );
  });

  it('divide with 16 places, halves away from zero', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        fc.pre(b.coefficient !== 0n);
        const quotient = divide(a, b);
        expect(quotient.exponent).toBe(-16);
        const magnitude = (value: bigint) => (value < 0n ? -value : value);
        const [dividend, divisor] = [magnitude(scaled(a)) * 10n ** 16n, magnitude(scaled(b))];
        const rest = 2n * (dividend - magnitude(quotient.coefficient) * divisor);
        expect(rest >= -divisor && rest < divisor).toBe(true);
        if (quotient.coefficient !== 0n)
          expect(quotient.coefficient < 0n).toBe(a.coefficient < 0n !== b.coefficient < 0n);
      }),
      SEED,
    );
    expect(() => divide(fromFloat(1), fromFloat(0))).toThrow('decimal division by 0');
  });
});

test('denormal floats keep their value', () => {
  for (const value of [5e-324, 4.172013484701e-309, 2.225073858507201e-308, -1e-320]) {
    expect(toFloat(add(fromFloat(value), fromFloat(0)))).toBe(value);
    expect(toFloat(multiply(fromFloat(value), fromFloat(1)))).toBe(value);
    expect(toFloat(subtract(add(fromFloat(1e308), fromFloat(value)), fromFloat(1e308)))).toBe(value);
  }
});
