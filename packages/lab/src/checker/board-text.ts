/** Reads the text of a board: what it says of each plan. */

/** How a board shows a plan. Of a plan that is done, only that. */
export interface ShownPlan {
  readonly plan: string;
  readonly state: 'failed' | 'retrying' | 'running' | 'short' | 'done';
  /** Targets: completed, all, failed. Undefined: not shown. */
  readonly targets: string | undefined;
}

export interface BoardText {
  readonly namespace: string;
  readonly operation: string;
  /** When the night began (milliseconds since the epoch). */
  readonly began: number;
  /** The plans that take part. */
  readonly total: number;
  readonly plans: readonly ShownPlan[];
  /** Whether it lists all of them. */
  readonly isComplete: boolean;
}

const SIGNS: Readonly<Record<string, ShownPlan['state']>> = {
  x: 'failed',
  arrows_counterclockwise: 'retrying',
  hourglass_flowing_sand: 'running',
  warning: 'short',
};

/** Undefined: it is no board. */
export function readBoard(text: string): BoardText | undefined {
  const [heading = '', bar = '', ...lines] = text.split('\n');
  const [, word, count] = /^:\w+: \*(Hibernation|Wake-Up) of (\d+) Plans?[ ,]/.exec(heading) ?? [];
  const [, total] = /^\[[█░]*\] \d+ of (\d+) (?:asleep|awake)/.exec(bar) ?? [];
  const [namespace = '', , began = ''] = (lines.at(-1) ?? '').split(' | ');
  const at = Date.parse(began.replace(/^Began /, ''));
  if (word === undefined || total === undefined || total !== count || Number.isNaN(at)) return undefined;
  const plans = lines.slice(0, -1).flatMap(plansIn);
  const isComplete = !lines.some((line) => / and \d+ more|^:white_check_mark: \d+ \w+$/.test(line));
  if (isComplete && plans.length !== Number(total)) return undefined;
  return {
    ...{ namespace, operation: word === 'Hibernation' ? 'shutdown' : 'wakeup', began: at },
    ...{ total: Number(total), plans, isComplete },
  };
}

function plansIn(line: string): ShownPlan[] {
  const [, sign = '', plan = '', rest = ''] = /^:(\w+): \*([^*]+)\*(.*)$/.exec(line) ?? [];
  const state = SIGNS[sign];
  if (state !== undefined) {
    const [, completed, all, failed = '0'] = /^ (\d+) of (\d+) targets?(?:, (\d+) failed)?/.exec(rest) ?? [];
    return [{ plan, state, targets: completed === undefined ? undefined : `${completed}/${all}/${failed}` }];
  }
  const [, names = ''] =
    /^:white_check_mark: \d+ (?:asleep|awake): (.*?)(?: and \d+ more)?$/.exec(line) ?? [];
  return names === ''
    ? []
    : names.split(', ').map((name) => ({ plan: name, state: 'done', targets: undefined }));
}
