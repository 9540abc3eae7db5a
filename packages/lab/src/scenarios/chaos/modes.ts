/** The modes of a run, besides kills. Each can be omitted. */
export const MODES = {
  lockstep: 'nine of ten writes wait until the state before is in a journal',
  replicas: 'a second process stands by; some leaders are paused, and continue when the other process leads',
  clocks: 'each process has its own wall clock, which jumps by hours',
  late: 'receivers apply some requests seconds later, even if the sender is dead',
  refusals: 'webhooks permanently refuse some messages at the first attempt',
  crowding: 'the same plans have dead and healthy sinks, and long errors',
  removals: 'journals, plans and a namespace are deleted',
  churn: 'secrets, notifications and selectors change',
} as const;

export type Mode = keyof typeof MODES;

const ALL = Object.keys(MODES) as readonly Mode[];
export const ALL_MODES: ReadonlySet<Mode> = new Set(ALL);

/** `all`, `none`, or some modes separated by commas. The default of an option that is not given is valid, too. */
export const MODES_PATTERN = new RegExp(`^(0|all|none|(${ALL.join('|')})(,(${ALL.join('|')}))*)$`);

export const readModes = (text: string): ReadonlySet<Mode> =>
  new Set(ALL.filter((mode) => text === 'all' || text.split(',').includes(mode)));
