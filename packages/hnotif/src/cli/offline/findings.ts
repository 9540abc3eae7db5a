import { faultInWords, unknownInWords, type Verdict } from '@hnotif/judges';
import type { SinkType } from '../../resources/kinds.ts';
import type { Colour } from '../io.ts';
import { SINKS } from '../../sinks/registry.ts';
import type { Degradation } from '../../sinks/degradation.ts';

/** What is wrong with a message, in words. All commands and the editor show the same. */
export interface Finding {
  /** `error`: another message is sent, or none. `warning`: it is sent, and may be a mistake. `note`: it is not known here. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
}

export const COLOUR_OF = { error: 'red', warning: 'yellow', note: 'dim' } as const satisfies Record<
  Finding['severity'],
  Colour
>;

/** Each fault and each unknown part of a message. */
export function findingsOfVerdict(type: SinkType, verdict: Verdict): readonly Finding[] {
  const faults = verdict.kind === 'refused' ? verdict.faults : [];
  return [
    ...faults.map((fault): Finding => ({
      severity: 'error',
      message: `${SINKS[type].receiver} would refuse it: ${faultInWords(fault)}`,
    })),
    ...verdict.unknown.map((each): Finding => ({ severity: 'note', message: unknownInWords(each) })),
  ];
}

export const findingOfDegradation = ({ reason, message }: Degradation): Finding => ({
  severity: reason === 'OutputDoubtful' ? 'warning' : 'error',
  message,
});

/** A warning if the outputs of a template for several events are all the same. */
export function sameForAll(outputs: readonly string[]): Finding | undefined {
  if (outputs.length < 2 || new Set(outputs).size > 1 || outputs[0]?.trim() === '') return undefined;
  const message =
    'the message is the same for each event, so readers cannot tell them apart; write {{ .Event }}, or ask for one event in onEvents';
  return { severity: 'warning', message };
}
