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

export const ALL_MODES: ReadonlySet<Mode> = new Set(Object.keys(MODES) as Mode[]);

const isMode = (word: string): word is Mode => Object.hasOwn(MODES, word);

/** `none`, `all`, or some modes separated by commas; undefined: a word is not a mode. */
export function readModes(text: string): ReadonlySet<Mode> | undefined {
  if (text === 'all') return ALL_MODES;
  if (text === 'none') return new Set();
  const words = text.split(',');
  return words.every(isMode) ? new Set(words) : undefined;
}

/** Takes `--modes LIST` out of the arguments of a command. */
export function takeModes(args: readonly string[]): {
  readonly modes: ReadonlySet<Mode> | undefined;
  readonly rest: readonly string[];
} {
  const at = args.findIndex((arg) => arg === '--modes' || arg.startsWith('--modes='));
  const arg = args[at];
  if (arg === undefined) return { modes: ALL_MODES, rest: args };
  const isApart = arg === '--modes';
  const list = isApart ? (args[at + 1] ?? '') : arg.slice('--modes='.length);
  return {
    modes: readModes(list),
    rest: args.filter((_, index) => index < at || index > at + (isApart ? 1 : 0)),
  };
}
