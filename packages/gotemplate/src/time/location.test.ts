import { expect, test } from 'vitest';
import { formatTime } from './format.ts';
import { UTC, fixedZone, loadLocation, localLocation } from './location.ts';
import { Time } from './time.ts';

test.each([
  ['America/New_York', -5000000000, 'LMT', -17762, false],
  ['America/New_York', 1710053999, 'EST', -18000, false],
  ['America/New_York', 1710054000, 'EDT', -14400, true],
  ['America/New_York', 1730613599, 'EDT', -14400, true],
  ['America/New_York', 1730613600, 'EST', -18000, false],
  ['America/New_York', 7000000000, 'EDT', -14400, true],
  ['America/New_York', -880000000, 'EWT', -14400, true],
  ['Europe/Amsterdam', -5000000000, 'LMT', 1172, false],
  ['Europe/Amsterdam', -1000000000, '+0020', 1200, false],
  ['Europe/Berlin', -738000000, 'CEST', 7200, true],
  ['Europe/Dublin', 1704067200, 'GMT', 0, true],
  ['Europe/Dublin', 1720000000, 'IST', 3600, false],
  ['Europe/London', -880000000, 'BST', 3600, true],
  ['Asia/Kolkata', 0, 'IST', 19800, false],
  ['Asia/Kathmandu', 1720000000, '+0545', 20700, false],
  ['Australia/Lord_Howe', 1720000000, '+1030', 37800, false],
  ['Australia/Lord_Howe', 1704067200, '+11', 39600, true],
  ['Pacific/Chatham', 4102444800, '+1345', 49500, true],
  ['Pacific/Apia', 1325239200, '+14', 50400, true],
  ['America/St_Johns', 1720000000, 'NDT', -9000, true],
  ['America/Nuuk', 1720000000, '-01', -3600, true],
  ['America/Nuuk', 6000000000, '-02', -7200, false],
  ['America/Santiago', 5000000000, '-04', -14400, false],
  ['Africa/Cairo', 1727000000, 'EEST', 10800, true],
  ['Asia/Gaza', 6000000000, 'EET', 7200, false],
  ['Asia/Jerusalem', 1711674000, 'IDT', 10800, true],
  ['Africa/Accra', -1500000000, 'GMT', 0, false],
  ['Africa/Monrovia', -500000000, 'MMT', -2670, false],
  ['Antarctica/Troll', 1720000000, '+02', 7200, true],
  ['Etc/GMT+5', 0, '-05', -18000, false],
  ['Etc/UTC', 0, 'UTC', 0, false],
  ['EST', 0, 'EST', -18000, false],
  ['EST5EDT', 1720000000, 'EDT', -14400, true],
  ['Factory', 0, '-00', 0, false],
  ['Asia/Tokyo', -600000000, 'JST', 32400, false],
])('%s at %d has the zone of Go', (name, seconds, abbreviation, offset, daylight) => {
  const location = loadLocation(name);
  expect(location?.name).toBe(name);
  const zone = Time.unix(seconds, 0, location).wall().zone;
  expect(zone).toEqual({ name: abbreviation, offset, daylight });
});

test('case of names matters', () => {
  for (const name of ['america/new_york', 'America', 'Nope/Zone', '../UTC', 'Local', 'constructor', 'UTC '])
    expect(loadLocation(name)).toBeUndefined();
  expect(loadLocation('')).toBe(UTC);
  expect(loadLocation('UTC')).toBe(UTC);
  expect(loadLocation('Asia/Tokyo')).toBe(loadLocation('Asia/Tokyo'));
});

test('the local zone is a separate location, and UTC if its name is unknown', () => {
  expect(localLocation('Asia/Tokyo')).toBe(localLocation('Asia/Tokyo'));
  expect(localLocation('Asia/Tokyo')).not.toBe(loadLocation('Asia/Tokyo'));
  expect(formatTime(Time.unix(0, 0, localLocation('Asia/Tokyo')), '15:04 MST')).toBe('09:00 JST');
  expect(localLocation('Nope').name).toBe('UTC');
  expect(localLocation('UTC')).not.toBe(UTC);
});

test('zones of whole hours without a name are shared', () => {
  expect(fixedZone('', 7200)).toBe(fixedZone('', 7200));
  expect(fixedZone('', 15 * 3600)).not.toBe(fixedZone('', 15 * 3600));
  expect(fixedZone('', -13 * 3600)).not.toBe(fixedZone('', -13 * 3600));
  expect(fixedZone('', 1800)).not.toBe(fixedZone('', 1800));
  expect(fixedZone('A', 3600)).not.toBe(fixedZone('A', 3600));
});

test('a rule applies to all later years, as in Go', () => {
  const newYork = loadLocation('America/New_York');
  const far = Time.unix(9_223_371_000_000_000_000n, 0, newYork);
  expect(String(far)).toBe('292276993740-04-22 12:00:00 -0400 EDT');
  const change = 9_223_371_000_017_071_200n;
  for (let again = 0; again < 2; again++) {
    expect(String(Time.unix(change, 0, newYork))).toBe('292276993740-11-06 01:00:00 -0500 EST');
    expect(String(Time.unix(change - 1n, 0, newYork))).toBe('292276993740-11-06 01:59:59 -0400 EDT');
  }
  // The cached interval must not be used for another year.
  expect(String(Time.unix(1_704_067_200, 0, newYork))).toBe('2023-12-31 19:00:00 -0500 EST');
});
