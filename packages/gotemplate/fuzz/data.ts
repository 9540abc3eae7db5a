/** Random data for templates, and its type. */
import type { CaseData } from '../conformance/case.ts';
import { PAYLOAD } from '../conformance/notification.ts';
import { TIME } from '../src/time/types.ts';
import { ANY_MAP, type Type } from '../src/value/type.ts';
import type { Random } from './random.ts';
import { randomValue, typeNamed } from './values.ts';

/** The start of an expression: its text, and its type if known. */
export interface Place {
  readonly text: string;
  readonly type: Type | undefined;
}

export interface Root {
  readonly data: CaseData;
  /** The type of dot. */
  readonly type: Type;
  /** The fields and keys of dot. Each text begins with a dot. */
  readonly places: readonly Place[];
}

/** Keys and their types. */
const KEYS =
  read(`s string, u string, word sample.Word, b bool, i int, i8 int8, i32 int32, i64 int64, u8 uint8, u64 uint64, f float64,
  f32 float32, n float64, l []any, strs []string, ints []int, bytes []uint8, arr [2]string, m map[string]any, sm map[string]string,
  mi map[string]int, im map[int]string, mm map[string]map[string]any, ll [][]any, dicts []map[string]any, box sample.Box,
  pbox *sample.Box, boxes []sample.Box, level sample.Level, t time.Time, d time.Duration, month time.Month, plan sink.PlanInfo,
  targets []sink.TargetInfo, pint *int`);

const JSON_KEYS = read('s string, u string, b bool, n float64, f float64, l []any, m map[string]any');

function read(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(line.split(/,\s+/).map((entry) => entry.split(' ') as [string, string]));
}

export function randomRoot(random: Random): Root {
  switch (random.weighted({ typed: 6, json: 3, notification: 2 })) {
    case 'typed':
      return typedRoot(random);
    case 'json':
      return jsonRoot(random);
    case 'notification':
      return notificationRoot(random);
  }
}

function typedRoot(random: Random): Root {
  const entries = Object.entries(KEYS).filter(() => random.chance(0.8));
  const value: unknown[] = entries.map(([key, name]) => [
    key,
    { type: name, value: randomValue(random, typeNamed(name)) },
  ]);
  value.push(['nil', null]);
  const places = entries.map(([key, name]) => ({ text: `.${key}`, type: typeNamed(name) }));
  return {
    data: { kind: 'typed', value: { type: ANY_MAP.name, value } },
    type: ANY_MAP,
    places: [...places, { text: '.nil', type: undefined }, { text: '.missing', type: undefined }],
  };
}

function jsonRoot(random: Random): Root {
  const value = Object.fromEntries(
    Object.entries(JSON_KEYS).map(([key, name]) => [key, randomJSON(random, name)]),
  );
  const places = Object.entries(JSON_KEYS).map(([key, name]) => ({ text: `.${key}`, type: typeNamed(name) }));
  return {
    data: { kind: 'json', value: { ...value, nil: null } },
    type: ANY_MAP,
    places: [...places, { text: '.nil', type: undefined }, { text: '.missing', type: undefined }],
  };
}

function randomJSON(random: Random, type: string, depth = 0): unknown {
  const any = (): unknown =>
    random.chance(0.15)
      ? null
      : randomJSON(
          random,
          random.pick(depth > 2 ? ['string', 'float64', 'bool'] : Object.values(JSON_KEYS)),
          depth + 1,
        );
  switch (type) {
    case '[]any':
      return random.times(0, 4, any);
    case 'map[string]any':
      return Object.fromEntries(
        random.times(0, 4, () => [random.pick(['a', 'b', 'name', 'é', 's', '']), any()]),
      );
    case 'float64':
      return random.pick([0, 1, 2, 3, -4, 2.5, 1e6, 1e15, 1e21, 0.1, 1e-7, 123456789, -0.75]);
    case 'bool':
      return random.chance(0.5);
    default: {
      const text = randomValue(random, typeNamed('string'));
      return typeof text === 'string' ? text : 'x';
    }
  }
}

function notificationRoot(random: Random): Root {
  const value = plain(randomValue(random, PAYLOAD), PAYLOAD) as Record<string, unknown>;
  // Go's JSON accepts only the years 0 to 9999.
  value.Timestamp = random.pick([
    '2026-03-28T22:17:41.123456789Z',
    '2026-10-25T02:30:00+07:00',
    '0001-01-01T00:00:00Z',
    '2024-02-29T23:59:59.5-03:30',
  ]);
  return { data: { kind: 'notification', value }, type: PAYLOAD, places: fieldsOf('', PAYLOAD, 2) };
}

/** Converts typed data to plain JSON for Go's decoder: normal numbers and maps, no invalid text. */
function plain(value: unknown, type: Type): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case 'struct':
      if (type === TIME) return value;
      return Object.fromEntries(
        type.fields.flatMap((field) => {
          const values = value as Record<string, unknown>;
          return Object.hasOwn(values, field.name)
            ? [[field.name, plain(values[field.name], field.type)]]
            : [];
        }),
      );
    case 'ptr':
      return plain(value, type.elem ?? type);
    case 'slice':
      return (value as unknown[]).map((item) => plain(item, type.elem ?? type));
    case 'map':
      return Object.fromEntries(
        (value as [unknown, unknown][]).map(([key, item]) => [
          plain(key, type.key ?? type),
          plain(item, type.elem ?? type),
        ]),
      );
    case 'string':
      return typeof value === 'string' ? value : 'x';
    default:
      return Number(value);
  }
}

/** The fields of a struct, and their fields. */
export function fieldsOf(prefix: string, type: Type, depth: number): Place[] {
  const struct = type.kind === 'ptr' ? (type.elem ?? type) : type;
  if (struct.kind !== 'struct' || struct === TIME) return [];
  return struct.fields.flatMap((field) => {
    const place = { text: `${prefix}.${field.name}`, type: field.type };
    return depth > 0 ? [place, ...fieldsOf(place.text, field.type, depth - 1)] : [place];
  });
}
