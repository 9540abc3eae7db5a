/** What a run of chaos does besides killing: each mode can be left out. */
export const MODES = {
  lockstep: 'nine writes of ten wait until a journal has the state before them',
  replicas: 'a second process stands by; the leader is also stopped, and goes on when the other one leads',
  clocks: 'each process has a wall clock of its own, which jumps by hours',
  late: 'receivers apply some requests seconds after they were sent, whatever became of the sender',
  refusals: 'webhooks refuse some messages at their first attempt, for good',
  crowding: 'dead sinks beside healthy ones of the same plans, with long errors',
  churn: 'secrets, notifications and selectors change',
} as const;

export type Mode = keyof typeof MODES;

export const ALL_MODES: ReadonlySet<Mode> = new Set(Object.keys(MODES) as Mode[]);

const isMode = (word: string): word is Mode => Object.hasOwn(MODES, word);

/** `none`, `all`, or some of them with commas between them; undefined: a word is none of these. */
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
