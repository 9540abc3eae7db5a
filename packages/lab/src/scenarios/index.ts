import { chaos } from './chaos/index.ts';
import type { Scenario } from '../scenario.ts';
import { boardKills } from './board-kills/index.ts';
import { bench } from './bench/index.ts';
import { fuzz } from './fuzz/index.ts';
import { kube } from './kube/index.ts';
import { neighbours } from './neighbours/index.ts';
import { LONGER, PROMISES } from './promises/index.ts';
import { redaction } from './redaction/index.ts';
import { storm } from './storm/index.ts';

/** All scenarios, as `npm run lab -- list` shows them. */
export const SCENARIOS: readonly Scenario[] = [
  ...[chaos, storm, neighbours, kube, fuzz, bench, boardKills, redaction],
  ...PROMISES,
  ...LONGER,
];
