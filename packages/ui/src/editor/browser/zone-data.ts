/** In the place of `time/zone-data.ts` of the template engine: most templates name no zone, so the data are loaded when one does. */
interface ZoneData {
  readonly ZONES: readonly string[];
  readonly GAPS: string;
}

const NONE: ZoneData = { ZONES: [], GAPS: '' };
let data: ZoneData = NONE;
let isAsked = false;

export function zoneData(): ZoneData {
  isAsked = true;
  return data;
}

/** Whether a zone was looked for before the data were there: then nothing that was made counts. */
export const zonesAreMissing = (): boolean => isAsked && data === NONE;

export async function loadZones(): Promise<void> {
  data = await import('@hnotif/gotemplate/zones');
}
