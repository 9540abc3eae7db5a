import type { Random } from '../random.ts';
import { several } from './plain.ts';

const ELEMENTS =
  `2006 06 01 1 Jan January 02 2 _2 __2 002 Mon Monday 15 03 3 04 4 05 5 PM pm MST Z0700 Z070000 Z07 Z07:00
  Z07:00:00 -0700 -07:00 -07 -070000 -07:00:00 .000 ,000 .999999999 ,9 .0 .999 05.00 05,999 _2006 Janx Monx`.split(
    /\s+/,
  );
const SEPARATORS = ['', ' ', '-', ':', '/', ', ', 'T', 'x', '.', '_', '世'];
const LAYOUTS = [
  '2006-01-02 15:04:05 MST',
  '2006-01-02T15:04:05Z07:00',
  '2006-01-02T15:04:05.999999999Z07:00',
  'Mon Jan _2 15:04:05 2006',
  '02 Jan 06 15:04 -0700',
  '3:04PM',
  '2006-01-02',
  '',
];
const ZONES =
  `UTC Local Europe/Berlin America/New_York Asia/Kolkata Asia/Tokyo Australia/Lord_Howe America/St_Johns Pacific/Apia
  Africa/Cairo Europe/Dublin Etc/GMT+5 EST EST5EDT Nowhere/City europe/berlin Asia/Kathmandu Antarctica/Troll
  America/Sao_Paulo ../etc GMT CET`.split(/\s+/);

export const layout = (random: Random): string =>
  random.chance(0.3)
    ? random.pick(LAYOUTS)
    : several(random, 1, 6, () => random.pick(ELEMENTS) + random.pick(SEPARATORS));

export const zone = (random: Random): string => (random.chance(0.05) ? '' : random.pick(ZONES));

const two = (n: number): string => String(n).padStart(2, '0');

/** A date and a time in one of several formats, sometimes out of range. */
export function date(random: Random): string {
  const year = random.chance(0.5)
    ? String(random.int(1900, 2100))
    : random.pick(['0001', '9999', '24', '2024']);
  const month = random.int(1, random.chance(0.1) ? 14 : 12);
  const day = `${year}-${two(month)}-${two(random.int(1, random.chance(0.2) ? 32 : 28))}`;
  const hour = random.int(0, random.chance(0.05) ? 25 : 23);
  const clock = `${two(hour)}:${two(random.int(0, 59))}:${two(random.int(0, 59))}`;
  const full = ['T?Z', ' ?', 'T?+05:30', ' ? CEST', ' ?.123456', 'T?.5-07:00'].map(
    (form) => day + form.replace('?', clock),
  );
  return random.pick([day, day, clock, ...full]);
}

const NUMBERS = ['1', '30', '1.5', '.5', '0', '90', '1e3', '9223372036854775807', ''];
const UNITS = ['h', 'm', 's', 'ms', 'us', 'µs', 'μs', 'ns', 'd', '', 'M'];

export const duration = (random: Random): string =>
  random.pick(['', '', '-', '+']) + several(random, 1, 3, () => random.pick(NUMBERS) + random.pick(UNITS));
