import { SINK_TYPES } from '@hnotif/core/resources';
import { expect, it } from 'vitest';
import { DEGRADATIONS } from '../../core/src/sinks/degradation.ts';
import { redaction } from '../../lab/src/scenarios/redaction/index.ts';
import { MODES } from '../../lab/src/scenarios/redaction/modes.ts';
import { NOTICE_CAUSES } from '../../lab/src/scenarios/redaction/notices.ts';
import { CAUSES, FAILURE_REASONS, RECEIVERS } from '../../lab/src/scenarios/redaction/outcomes.ts';
import { ran } from '../../lab/src/scenario.ts';

it('each type of sink has a mode, with answers', () => {
  const played = MODES.filter(({ answers }) => RECEIVERS.get(answers)?.outcomes.length);
  expect(SINK_TYPES.filter((type) => played.every((mode) => mode.type !== type))).toEqual([]);
});

it('each reason has a case, or the reason why it has none', () => {
  expect(FAILURE_REASONS.filter((reason) => !Object.hasOwn(CAUSES, reason))).toEqual([]);
  expect(Object.keys(DEGRADATIONS).filter((reason) => !Object.hasOwn(NOTICE_CAUSES, reason))).toEqual([]);
});

/** All answers, failures and wrong configurations are played by `npm run lab -- run redaction`. */
it('no credential shows anywhere, with a sample of the answers, failures and configurations of each sink', async () => {
  expect(await ran(redaction, 'sample')).toEqual([]);
});
