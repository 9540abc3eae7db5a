const USAGE = `usage: npm run storm -- [CHANGES] [SEED]
  CHANGES  changes in each storm, a whole number above 0 (default 10000)
  SEED     a whole number; the same seed makes the same storm (default: any, printed at the end)`;

/** The arguments of a storm. Asked for help or given others, it tells how it is used and ends the process. */
export function argumentsOf(args: readonly string[]): [changes: number, seed: number] {
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  const [changes = '10000', seed = String(Date.now() % 1e9)] = args;
  const isGood = args.length <= 2 && /^[1-9]\d{0,8}$/.test(changes) && /^\d{1,9}$/.test(seed);
  if (isHelp) console.log(USAGE);
  else if (!isGood) console.error(USAGE);
  if (isHelp || !isGood) process.exit(isHelp ? 0 : 2);
  return [Number(changes), Number(seed)];
}
