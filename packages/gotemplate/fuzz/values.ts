/** Random values of any type, in the encoding of conformance/typed.ts. */
import { DECLARED } from '../conformance/typed.ts';
import { DURATION, MONTH, TIME } from '../src/time/types.ts';
import { toBytes } from '../src/value/text.ts';
import { ANY, type Type, isFloat, isSigned } from '../src/value/type.ts';
import { parseType } from '../src/value/signature.ts';
import type { Random } from './random.ts';
import { textOf } from './texts.ts';

/** The types of values in an interface. */
const SCALARS =
  `string string string string int int int float64 float64 float64 bool int8 int16 int32 int64 uint uint8 uint16 uint32
  uint64 float32 time.Duration time.Month sample.Level sample.Word`.split(/\s+/);
const COMPOSITES =
  `[]any []string []int []uint8 [2]string [][]string []float64 map[string]any map[string]string map[string]int
  map[int]string map[bool]float64 map[float64]string time.Time sample.Box *sample.Box sink.PlanInfo []sink.TargetInfo
  *sink.TargetInfo map[string][]int *int *string []*sample.Box`.split(/\s+/);

const declared = Object.fromEntries(DECLARED);
const cache = new Map<string, Type>();

/** The type of a Go name. */
export function typeNamed(name: string): Type {
  let type = cache.get(name);
  if (type === undefined) cache.set(name, (type = parseType(name, declared)));
  return type;
}

/** Values have at most three levels. */
export function randomValue(random: Random, type: Type, depth = 0): unknown {
  if (type === TIME) return randomTime(random);
  const elem = type.elem ?? ANY;
  const inside = (): unknown => randomValue(random, elem, depth + 1);
  const length = depth > 2 ? 1 : 4;
  switch (type.kind) {
    case 'interface':
      return randomAny(random, depth);
    case 'bool':
      return random.chance(0.5);
    case 'string':
      return encodeText(
        textOf(random, random.weighted({ plain: 8, key: 3, numeral: 2, date: 0.5, version: 0.5 })),
      );
    case 'slice':
      return depth > 0 && random.chance(0.1) ? null : random.times(0, length, inside);
    case 'array':
      return Array.from({ length: type.length ?? 0 }, inside);
    case 'map':
      return depth > 0 && random.chance(0.1) ? null : randomMap(random, type, length, inside);
    case 'ptr':
      return depth > 2 || random.chance(0.3) ? null : inside();
    case 'struct':
      return randomStruct(random, type, depth);
    default:
      return randomNumber(random, type);
  }
}

function randomMap(random: Random, type: Type, length: number, inside: () => unknown): unknown {
  const pairs = new Map<string, readonly [unknown, unknown]>();
  for (let i = random.int(0, length); i > 0; i--) {
    const key =
      type.key?.kind === 'string' ? encodeText(textOf(random, 'key')) : randomValue(random, type.key ?? ANY);
    // In Go each NaN is a separate key. A JavaScript map has only one zero.
    if (key !== 'NaN' && key !== '-0') pairs.set(JSON.stringify(key), [key, inside()]);
  }
  return [...pairs.values()];
}

function randomAny(random: Random, depth: number): unknown {
  if (random.chance(0.1)) return null;
  const scalar = depth > 2 || random.chance(0.65);
  const type = typeNamed(random.pick(scalar ? SCALARS : COMPOSITES));
  return { type: type.name, value: randomValue(random, type, depth + 1) };
}

/** Some of the fields; the rest are zero. */
function randomStruct(random: Random, type: Type, depth: number): unknown {
  const exported = type.fields.filter(({ name }) => /^[A-Z]/.test(name));
  const chosen = exported.filter(() => random.chance(depth > 1 ? 0.15 : 0.6));
  return Object.fromEntries(chosen.map((field) => [field.name, randomValue(random, field.type, depth + 1)]));
}

function randomNumber(random: Random, type: Type): string {
  if (isFloat(type.kind)) {
    if (random.chance(0.05)) return random.pick(['NaN', '+Inf', '-Inf', '-0']);
    if (random.chance(0.1)) return String((random.next() - 2 ** 31) * 10 ** random.int(-20, 25));
    return random.pick([
      '0',
      '1',
      '2',
      '3',
      '-1',
      '1.5',
      '2.5',
      '0.1',
      '1e6',
      '123456.789',
      '1e21',
      '1e-7',
      '-2.75',
      '100',
      '1e-5',
    ]);
  }
  if (type === DURATION)
    return String(BigInt(random.int(-100_000, 100_000)) * 10n ** BigInt(random.int(0, 12)));
  if (type === MONTH) return String(random.int(-1, 14));
  const bits = Number(/\d+/.exec(type.kind)?.[0] ?? 64);
  if (random.chance(0.1)) {
    const value = random.pick([
      random.bigint(bits),
      (1n << BigInt(bits - 1)) - 1n,
      1n << BigInt(bits - 1),
      (1n << BigInt(bits)) - 1n,
    ]);
    return String(isSigned(type.kind) ? BigInt.asIntN(bits, value) : value);
  }
  return String(random.int(isSigned(type.kind) ? -3 : 0, 9));
}

function randomTime(random: Random): unknown {
  if (random.chance(0.1))
    return random.pick([
      '0001-01-01T00:00:00Z',
      '2026-03-28T22:17:41.123456789Z',
      '1969-12-31T23:59:59.5-03:30',
      '9999-12-31T23:59:59+14:00',
    ]);
  const nanoseconds = random.pick([0, 0, 500_000_000, 120_000_000, random.int(0, 999_999_999), 1]);
  const seconds = random.chance(0.1)
    ? BigInt(random.int(-62_135_596, 253_402_300)) * 1000n
    : BigInt(random.int(-1_000_000_000, 3_000_000_000));
  const zone = random.pick([
    'UTC',
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'America/St_Johns',
  ]);
  return { seconds: String(seconds), nanoseconds, zone };
}

function encodeText(text: string): unknown {
  return text.isWellFormed() ? text : { base64: Buffer.from(toBytes(text)).toString('base64') };
}
