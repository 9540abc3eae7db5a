import { lint } from '@hnotif/gotemplate';
import { faultInWords, unknownInWords, type Verdict } from '@hnotif/judges';
import { placeInWords } from '../render/fault.ts';
import { functions } from '../render/functions.ts';
import type { TemplateSource } from '../render/template.ts';
import { PAYLOAD } from '../render/types.ts';
import { EVENT_KINDS, type SinkType } from '../resources/kinds.ts';
import { sameForAll } from '../render/same-for-all.ts';
import { SINKS } from '../sinks/registry.ts';
import { HISTORY_RISKS, type Degradation, type DegradationReason } from '../sinks/degradation.ts';

/** What is wrong with a message, in words. All commands and the editor show the same. */
export interface Finding {
  /** `error`: another message is sent, or none. `warning`: it is sent, and may be a mistake. `note`: it is not known here. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
}

/** What the linter finds in a template. */
export const findingsOfTemplate = ({ name, text }: TemplateSource): readonly Finding[] =>
  lint(text, PAYLOAD, { funcs: functions }).map(({ line, column, severity, message }) => ({
    severity,
    message: `template ${name}${placeInWords(line, column)}: ${message}`,
  }));

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

/** The message is as configured. */
const DOUBTS: ReadonlySet<DegradationReason> = new Set(['OutputDoubtful', ...HISTORY_RISKS]);

export const findingOfDegradation = ({ reason, message }: Degradation): Finding => ({
  severity: DOUBTS.has(reason) ? 'warning' : 'error',
  message,
});

/** The name of an event, or a place in an output with its text. */
const PLACE = new RegExp(
  `, (?:${EVENT_KINDS.join('|')})(?=:)|line \\d+(?:, column \\d+)?(?: \\(.*\\)(?=;))?`,
  'g',
);

/** The same for the same mistake in the message of another event. */
const mistakeIn = (message: string): string =>
  /the text comes from .*/.exec(message)?.[0] ?? message.replace(PLACE, '');

/** Findings of the messages of several events. */
export class Folded<Event> {
  readonly #found = new Map<string, { readonly finding: Finding; readonly events: [Event, ...Event[]] }>();

  add(finding: Finding, event: Event): void {
    const key = `${finding.severity} ${mistakeIn(finding.message)}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { finding, events: [event] });
    else if (known.events.at(-1) !== event) known.events.push(event);
  }

  /** Each mistake once, as it was found first, with the events that have it. */
  all(): readonly { readonly finding: Finding; readonly events: readonly [Event, ...Event[]] }[] {
    return [...this.#found.values()];
  }
}

/** A warning if the outputs of a template for several events are all the same. */
export function sameOutputs(outputs: readonly string[]): Finding | undefined {
  const message = sameForAll(outputs);
  return message === undefined ? undefined : { severity: 'warning', message };
}
