/** Constant arguments that are valid in Go, and do not mean what the author thinks. */
import { readLayout } from '../time/layout.ts';
import { loadLocation } from '../time/location.ts';
import { zoneNames } from '../time/zones.ts';
import type { Meaning } from '../value/func.ts';
import type { Findings } from './finding.ts';
import { layoutOf } from './foreign-layout.ts';
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
  const meant = layoutOf(text);
  if (meant === undefined && readLayout(text).parts.length > 0) return;
  const why = 'a layout of Go shows the reference time Mon Jan 2 15:04:05 MST 2006';
  const suggestion = meant === undefined ? undefined : JSON.stringify(meant);
  findings.add('layout', pos, `${JSON.stringify(text)} is not a layout of Go: ${why}`, suggestion);
}

function checkZone(findings: Findings, text: string, pos: number): void {
  if (text === 'Local' || loadLocation(text) !== undefined) return;
  const names = zoneNames();
  // A browser may have no zones yet.
  if (names.length === 0) return;
  const near = nearest(text, names);
  const suggestion = near === undefined ? undefined : JSON.stringify(near);
  findings.add('zone', pos, `there is no time zone ${JSON.stringify(text)}: UTC is used`, suggestion);
}
