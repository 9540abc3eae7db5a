import { GAPS, ZONES } from './zones.data.ts';

/** The data of all zones: see `zones.ts`. */
export interface ZoneData {
  readonly ZONES: readonly string[];
  readonly GAPS: string;
}

const DATA: ZoneData = { GAPS, ZONES };

/** A web page can replace this module by one that loads the data when needed. */
export const zoneData = (): ZoneData => DATA;
