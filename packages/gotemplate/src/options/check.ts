/** Checks the arguments of the package's functions. A TypeError names the option and the remedy. */
import { DEFAULT_LIMITS } from '../budget.ts';
import { loadLocation } from '../time/location.ts';
import { kindOf } from '../value/kind-of.ts';

const EXECUTION_OPTIONS = new Set(['limits', 'now', 'random', 'zone', 'clock']);
const OPTIONS = new Set([...EXECUTION_OPTIONS, 'funcs', 'delims', 'missingkey']);
const LIMITS = new Set(Object.keys(DEFAULT_LIMITS));

/** Checks the options of `parse`. Undefined counts as absent. */
export function checkOptions(options: object): void {
  checkKeys('options', options, OPTIONS);
  const { funcs, delims, missingkey } = options as Record<string, unknown>;
  if (funcs !== undefined) checkFuncs(funcs);
  if (delims !== undefined) checkDelims(delims);
  if (missingkey !== undefined && typeof missingkey !== 'string')
    refuse('options.missingkey', missingkey, "one of 'default', 'zero', 'error'");
  checkValues(options);
}

/** Checks the options of `execute`. */
export function checkExecutionOptions(options: object): void {
  checkKeys('options', options, EXECUTION_OPTIONS);
  checkValues(options);
}

export function checkText(where: string, text: unknown): asserts text is string {
  if (typeof text === 'string') return;
  refuse(
    where,
    text,
    text instanceof Uint8Array ? "a string: decode it, as in text.toString('utf8')" : 'a string',
  );
}

function checkValues(options: object): void {
  const { limits, zone, now, random, clock } = options as Record<string, unknown>;
  if (limits !== undefined) checkLimits(limits);
  if (zone !== undefined) checkZone(zone);
  checkFunction('now', now, 'a function that returns nanoseconds since 1970 as a bigint');
  checkFunction('random', random, 'a function that returns n random bytes as a Uint8Array');
  checkFunction('clock', clock, 'a function that returns milliseconds as a number');
}

function checkKeys(where: string, given: unknown, known: ReadonlySet<string>): asserts given is object {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(where, given, `an object of ${[...known].join(', ')}`);
  for (const key in given)
    if (!known.has(key))
      throw new TypeError(
        `${where}: ${JSON.stringify(key)} is not known; known are ${[...known].join(', ')}`,
      );
}

function checkLimits(limits: unknown): void {
  checkKeys('options.limits', limits, LIMITS);
  for (const key in limits) {
    const value = (limits as Record<string, unknown>)[key];
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    const found = typeof value !== 'number' ? kindOf(value) : Number.isNaN(value) ? 'NaN' : 'negative';
    throw new TypeError(
      `options.limits.${key} is ${found}; wanted a number from 0, or Infinity for no limit`,
    );
  }
}

function checkFuncs(funcs: unknown): void {
  if (typeof funcs === 'function')
    refuse('options.funcs', funcs, 'its result: call it, as in { funcs: sprig() }');
  const plain =
    typeof funcs === 'object' && funcs !== null && Object.getPrototypeOf(funcs) === Object.prototype;
  if (!plain && kindOf(funcs) !== 'an object')
    refuse('options.funcs', funcs, 'an object of functions by name, as in { ...sprig(), own: fn(…) }');
}

function checkDelims(delims: unknown): void {
  const wanted = "two strings, as in ['<<', '>>']";
  if (!Array.isArray(delims)) refuse('options.delims', delims, wanted);
  if (delims.length !== 2)
    throw new TypeError(`options.delims has ${delims.length} elements; wanted ${wanted}`);
  for (const [i, delim] of delims.entries())
    if (typeof delim !== 'string') refuse(`options.delims[${i}]`, delim, wanted);
}

function checkZone(zone: unknown): void {
  const wanted = 'the IANA name of a time zone, such as Europe/Berlin';
  if (typeof zone !== 'string') refuse('options.zone', zone, wanted);
  if (loadLocation(zone) === undefined)
    throw new TypeError(`options.zone: ${JSON.stringify(zone)} is not known; wanted ${wanted}`);
}

function checkFunction(name: string, value: unknown, wanted: string): void {
  if (value !== undefined && typeof value !== 'function') refuse(`options.${name}`, value, wanted);
}

function refuse(where: string, found: unknown, wanted: string): never {
  throw new TypeError(`${where} is ${kindOf(found)}; wanted ${wanted}`);
}
