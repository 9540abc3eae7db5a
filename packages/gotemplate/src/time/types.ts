/** The types of Go's package time. */
import {
  BOOL,
  INT,
  INT64,
  STRING,
  type Type,
  UINT8,
  UINT64,
  namedType,
  pointerTo,
  sliceOf,
  structType,
} from '../value/type.ts';
import type { Types } from '../value/signature.ts';

export const ZONE = structType('time.zone', [
  { name: 'name', type: STRING },
  { name: 'offset', type: INT },
  { name: 'isDST', type: BOOL },
]);

export const ZONE_TRANSITION = structType('time.zoneTrans', [
  { name: 'when', type: INT64 },
  { name: 'index', type: UINT8 },
  { name: 'isstd', type: BOOL },
  { name: 'isutc', type: BOOL },
]);

export const LOCATION = structType('time.Location', [
  { name: 'name', type: STRING },
  { name: 'zone', type: sliceOf(ZONE) },
  { name: 'tx', type: sliceOf(ZONE_TRANSITION) },
  { name: 'extend', type: STRING },
  { name: 'cacheStart', type: INT64 },
  { name: 'cacheEnd', type: INT64 },
  { name: 'cacheZone', type: pointerTo(ZONE) },
]);

export const TIME: Type = structType('time.Time', [
  { name: 'wall', type: UINT64 },
  { name: 'ext', type: INT64 },
  { name: 'loc', type: pointerTo(LOCATION) },
]);

export const DURATION = namedType('time.Duration', 'int64');
export const MONTH = namedType('time.Month', 'int');
export const WEEKDAY = namedType('time.Weekday', 'int');

/** For signatures. */
export const TYPES: Types = {
  'time.Time': TIME,
  'time.Location': LOCATION,
  'time.Duration': DURATION,
  'time.Month': MONTH,
  'time.Weekday': WEEKDAY,
};
