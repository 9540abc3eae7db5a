/** The phase in which an operation runs, and the one in which it rests when done. Other operations have neither. */
const PHASES_OF: Readonly<Record<string, { readonly executing: string; readonly resting: string }>> = {
  shutdown: { executing: 'Hibernating', resting: 'Hibernated' },
  wakeup: { executing: 'WakingUp', resting: 'Active' },
};

const phasesOf = (operation: string): { readonly executing: string; readonly resting: string } | undefined =>
  Object.hasOwn(PHASES_OF, operation) ? PHASES_OF[operation] : undefined;

export const executingPhase = (operation: string): string | undefined => phasesOf(operation)?.executing;

export const restingPhase = (operation: string): string | undefined => phasesOf(operation)?.resting;

export const isExecuting = (phase: string): boolean => phase === 'Hibernating' || phase === 'WakingUp';
