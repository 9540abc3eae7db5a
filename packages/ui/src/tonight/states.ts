import type { DotState } from '@hnotif/core/page';

/** How a state is shown: a colour and a shape of its own, so that it can be told without colours, too. */
export interface StateLook {
  readonly label: string;
  /** For a legend. */
  readonly meaning: string;
  /** A variable of `tokens.css`. */
  readonly color: string;
  readonly shape: 'disc' | 'ring' | 'triangle' | 'square' | 'cross' | 'diamond' | 'small';
  /** Whether it needs attention. */
  readonly isWrong: boolean;
}

/** In the order of the legend; later ones are drawn over earlier ones. */
export const STATES: Readonly<Record<DotState, StateLook>> = {
  ended: {
    label: 'ended',
    meaning: 'the journal does not tell any more how',
    color: '--suppressed',
    shape: 'small',
    isWrong: false,
  },
  suppressed: {
    label: 'left out',
    meaning: 'the layout or a mute leaves it out',
    color: '--suppressed',
    shape: 'small',
    isWrong: false,
  },
  delivered: {
    label: 'delivered',
    meaning: 'the receiver has it',
    color: '--delivered',
    shape: 'disc',
    isWrong: false,
  },
  waiting: {
    label: 'waiting',
    meaning: 'its turn has not come',
    color: '--waiting',
    shape: 'ring',
    isWrong: false,
  },
  retried: {
    label: 'late',
    meaning: 'it waits for longer than a moment, or is retried',
    color: '--retried',
    shape: 'triangle',
    isWrong: true,
  },
  parked: {
    label: 'parked',
    meaning: 'its sink needs a correction',
    color: '--parked',
    shape: 'square',
    isWrong: true,
  },
  dropped: {
    label: 'dropped',
    meaning: 'it was never sent',
    color: '--dropped',
    shape: 'diamond',
    isWrong: true,
  },
  failed: {
    label: 'failed',
    meaning: 'the receiver refused it',
    color: '--failed',
    shape: 'cross',
    isWrong: true,
  },
};

export const ALL_STATES = Object.keys(STATES) as readonly DotState[];

/** The tints of phases, as variables. A phase that is not known has the last one. */
const PHASES: Readonly<Record<string, string>> = {
  Active: '--phase-active',
  Hibernating: '--phase-hibernating',
  Hibernated: '--phase-hibernated',
  WakingUp: '--phase-waking',
  Error: '--phase-error',
};

export const phaseColor = (phase: string): string =>
  Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? '') : '--phase-other';

export const KNOWN_PHASES = Object.keys(PHASES);
