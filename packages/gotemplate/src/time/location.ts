/** time.Location: the offsets from UTC, and when each is in effect. */
import { fn } from '../value/func.ts';
import { INT64, UINT8, pointerTo, sliceOf } from '../value/type.ts';
import { Pointer, Slice, Struct, type Value, ofType, zero } from '../value/value.ts';
import { Timeline, type Zone } from './timeline.ts';
import { LOCATION, TYPES, ZONE, ZONE_TRANSITION } from './types.ts';
import { UTC_ZONE, loadTimeline } from './zones.ts';

/** For Go's `==` on times, locations are equal only if they are the same object. */
export class Location extends Struct {
  /** The name given to `LoadLocation` or `FixedZone`. */
  readonly name: string;
  /** Whether it is Go's time.Local. */
  readonly isLocal: boolean;
  /** The only pointer to it, immutable. Templates see locations only as pointers. */
  readonly pointer: Pointer;
  readonly #timeline: Timeline;

  constructor(name: string, timeline: Timeline, isLocal = false, fixed?: Zone) {
    super(LOCATION, Object.freeze(fieldsOf(name, fixed)));
    this.name = name;
    this.isLocal = isLocal;
    this.pointer = Object.freeze(new Pointer(pointerTo(LOCATION), this));
    this.#timeline = timeline;
  }

  /** The zone in effect at a moment: days since 1970 and the second of the day, in UTC. */
  at(days: number, second: number): Zone {
    return this.#timeline.at(days, second);
  }

  /** The offset of a zone's name here; see {@link Timeline.offsetOf}. */
  offsetOf(name: string, days: number, second: number): number | undefined {
    return this.#timeline.offsetOf(name, days, second);
  }
}

/** The fields of Go's struct. Templates see them only if they print a location with an unusual verb or use deepEqual. */
function fieldsOf(name: string, fixed: Zone | undefined): Value[] {
  const fields = LOCATION.fields.map((field) => zero(field.type));
  fields[0] = name;
  if (fixed === undefined) return fields;
  const zone = new Struct(ZONE, [fixed.name, BigInt(fixed.offset), fixed.daylight]);
  const begin = ofType(INT64, MIN_INT64);
  const transition = new Struct(ZONE_TRANSITION, [begin, zero(UINT8), false, false]);
  fields[1] = new Slice(sliceOf(ZONE), [zone]);
  fields[2] = new Slice(sliceOf(ZONE_TRANSITION), [transition]);
  return [...fields.slice(0, 4), begin, ofType(INT64, MAX_INT64), new Pointer(pointerTo(ZONE), zone)];
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

const UTC_TIMELINE = new Timeline([UTC_ZONE]);

export const UTC = new Location('UTC', UTC_TIMELINE);

function makeFixed(name: string, offset: number): Location {
  const zone: Zone = { name, offset, daylight: false };
  return new Location(name, new Timeline([zone]), false, zone);
}

/** Zones without a name, of whole hours from -12 to 14. Go has exactly one object for each. */
const wholeHours = new Map<number, Location>();

/** A location with a constant offset: seconds east of UTC. */
export function fixedZone(name: string, offset: number): Location {
  const hour = offset / 3600;
  if (name !== '' || !Number.isInteger(hour) || hour < -12 || hour > 14) return makeFixed(name, offset);
  let location = wholeHours.get(hour);
  if (location === undefined) wholeHours.set(hour, (location = makeFixed('', offset)));
  return location;
}

// The number of zone names limits both.
const loaded = new Map<string, Location>();
const locals = new Map<string, Location>();

/** A location by its IANA name; case matters. '' is UTC. Undefined if the name is unknown. */
export function loadLocation(name: string): Location | undefined {
  if (name === '' || name === 'UTC') return UTC;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const timeline = loadTimeline(name);
  if (timeline === undefined) return undefined;
  const location = new Location(name, timeline);
  loaded.set(name, location);
  return location;
}

/** Go's time.Local in a process with this zone; UTC if the name is unknown. */
export function localLocation(zone: string): Location {
  const name = loadLocation(zone) === undefined ? 'UTC' : zone || 'UTC';
  let location = locals.get(name);
  if (location === undefined) {
    location = new Location(name, loadTimeline(name) ?? UTC_TIMELINE, true);
    locals.set(name, location);
  }
  return location;
}

LOCATION.pointerMethods.set(
  'String',
  fn(
    'func(*time.Location) string',
    ({ target }: Pointer) => (target instanceof Location ? target.name : UTC.name),
    TYPES,
  ),
);
