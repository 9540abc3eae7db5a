/** Constant arguments that are valid in Go, and do not mean what the author thinks. */
import { loadLocation } from '../time/location.ts';
import { zoneNames } from '../time/zones.ts';
import type { Meaning } from '../value/func.ts';
import type { Findings } from './finding.ts';
import { layoutFault } from './layout-fault.ts';
import type { Argument } from './linter.ts';
import { nearest } from './suggest.ts';

/** Checks an argument whose text is known. */
export function checkConstant(
  findings: Findings,
  meaning: Meaning,
  { known: { text }, pos }: Argument,
): void {
  if (text === undefined || text === '') return;
  if (meaning === 'layout') checkLayout(findings, text, pos);
  else checkZone(findings, text, pos);
}

function checkLayout(findings: Findings, text: string, pos: number): void {
  const fault = layoutFault(text);
  if (fault === undefined) return;
  const { message, suggestion } = fault;
  findings.add('layout', pos, message, suggestion && JSON.stringify(suggestion));
}

/** Abbreviations that the IANA database does not have, most of them of summer times. Each with a zone of the database that uses it. */
const PLACES: Readonly<Record<string, string>> = {
  ...{ CEST: 'Europe/Berlin', EEST: 'Europe/Helsinki', WEST: 'Europe/Lisbon', BST: 'Europe/London' },
  ...{ EDT: 'America/New_York', CDT: 'America/Chicago', MDT: 'America/Denver', PDT: 'America/Los_Angeles' },
  ...{
    CST: 'America/Chicago',
    PST: 'America/Los_Angeles',
    ADT: 'America/Halifax',
    AKDT: 'America/Anchorage',
  },
  ...{
    AEST: 'Australia/Sydney',
    AEDT: 'Australia/Sydney',
    ACST: 'Australia/Adelaide',
    AWST: 'Australia/Perth',
  },
  ...{ ACDT: 'Australia/Adelaide', NZST: 'Pacific/Auckland', NZDT: 'Pacific/Auckland', MSK: 'Europe/Moscow' },
  ...{
    IST: 'Asia/Kolkata',
    JST: 'Asia/Tokyo',
    KST: 'Asia/Seoul',
    WIB: 'Asia/Jakarta',
    BRT: 'America/Sao_Paulo',
  },
};

/** The zone that was meant. The name that is nearest to an abbreviation or to an offset is another zone. */
const zoneFor = (text: string, names: readonly string[]): string | undefined =>
  PLACES[text.toUpperCase()] ?? (/^[A-Z]{2,5}$|\d/i.test(text) ? undefined : nearest(text, names));

function checkZone(findings: Findings, text: string, pos: number): void {
  if (text === 'Local' || loadLocation(text) !== undefined) return;
  const names = zoneNames();
  // A browser may have no zones yet.
  if (names.length === 0) return;
  const near = zoneFor(text, names);
  const suggestion = near === undefined ? undefined : JSON.stringify(near);
  const remedy =
    near === undefined ? `; write a name of the IANA database such as Europe/Paris${fixedZone(text)}` : '';
  findings.add(
    'zone',
    pos,
    `there is no time zone ${JSON.stringify(text)}: UTC is used${remedy}`,
    suggestion,
  );
}

/** The zone of an offset in whole hours; `''`: there is none. */
function fixedZone(text: string): string {
  const [, sign, hours] = /^(?:UTC|GMT)?([+-])0?(\d\d?)(?::?00)?$/i.exec(text) ?? [];
  const zone = `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`;
  return loadLocation(zone) === undefined ? '' : `, or ${zone} for a fixed offset (its sign is reversed)`;
}
