/** The binary format of times, as in Go's gob package. */
import { GoError } from '../errors.ts';
import { UTC } from './location.ts';
import type { Time } from './time.ts';
import { TO_YEAR_1, toSeconds } from './wall.ts';

/** Marks UTC in the field of the offset in minutes. */
const UTC_MINUTES = -1;

/** Version, seconds since year 1, nanoseconds, offset in minutes, and its seconds if not 0. All big-endian. */
export function encodeTime(time: Time): Uint8Array {
  const offset = time.wall().zone.offset;
  const minutes = time.location === UTC ? UTC_MINUTES : Math.trunc(offset / 60);
  const seconds = time.location === UTC ? 0 : offset % 60;
  if (time.location !== UTC && (minutes === UTC_MINUTES || minutes < -32_768 || minutes > 32_767))
    throw new GoError('Time.MarshalBinary: unexpected zone offset');
  const view = new DataView(new ArrayBuffer(seconds === 0 ? 15 : 16));
  view.setUint8(0, seconds === 0 ? 1 : 2);
  view.setBigInt64(1, toSeconds(time.days, time.second) + TO_YEAR_1);
  view.setInt32(9, time.nanosecond);
  view.setInt16(13, minutes);
  if (seconds !== 0) view.setInt8(15, seconds);
  return new Uint8Array(view.buffer);
}
