import { GAPS, ZONES } from './zones.data.ts';

/** The data of all zones: see `zones.ts`. */
export interface ZoneData {
  readonly ZONES: readonly string[];
  readonly GAPS: string;
}

const DATA: ZoneData = { GAPS, ZONES };

/** A page may put another module in the place of this one, which loads the data when it is asked for. */
export const zoneData = (): ZoneData => DATA;
