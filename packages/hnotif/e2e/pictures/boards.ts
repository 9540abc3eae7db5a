/** Nights of 120 invented plans, as a board shows them. */
import type { Row, RowState } from '../../../core/src/sinks/board/row.ts';
import { viewOf, type BoardView } from '../../../core/src/sinks/board/view.ts';
import { htmlBoard } from '../../../core/src/sinks/botchat/board/board-card.ts';
import { blocksBoard } from '../../../core/src/sinks/teamchat/board/board-card.ts';
import type { PresetOptions } from '../../../core/src/sinks/teamchat/types.ts';
import { STANDARD_LAYOUT } from '../../../core/src/sinks/teamchat/idle-fields.ts';
import type { Body } from '@hnotif/receivers';
import { NO_CONNECTOR, type PlanView } from '@hnotif/core/resources';

const EVENING = Date.parse('2026-03-02T19:00:00Z');
const MINUTE_MS = 60_000;

const PARTS = ['api', 'batch', 'cache', 'db', 'etl', 'jobs', 'search', 'web'];
const TEAMS = [
  ...['billing', 'catalog', 'checkout', 'fraud', 'identity', 'ledger', 'logistics', 'loyalty'],
  ...['media', 'orders', 'payments', 'pricing', 'reporting', 'returns', 'warehouse'],
];
/** 15 teams with 8 plans each. */
const NAMES = TEAMS.flatMap((team) => PARTS.map((part) => `${team}-${part}`));

const ERRORS: Readonly<Record<string, string>> = {
  'ledger-db': 'ledger-primary: DB instance is being modified: InvalidDBInstanceState',
  'payments-batch': 'batch-workers: volume vol-07 is "busy" & cannot be detached; tried 3 times',
  'reporting-etl': 'warehouse-loader: snapshot quota of 100 exceeded in eu-central-1',
};

type States = Readonly<Record<string, RowState>>;

const OPTIONS: PresetOptions = {
  ...{ layout: 'default', maxTargets: 8, scopes: [], timezone: 'UTC' },
  ...{ timeDisplay: 'slack_dynamic', timeLayout: STANDARD_LAYOUT },
};

const PLAN: PlanView = {
  ...{ labels: {}, annotations: {}, retries: 3, cluster: 'prod-eu', connector: () => NO_CONNECTOR },
  notification: { 'hibernation.dev/dashboard-url': 'https://grafana.example.com/d/nights' },
};

/** The board after so many minutes. Plans without a state are asleep. */
function board(
  minutes: number,
  states: States,
  more: { readonly isOver?: boolean; readonly failedBefore?: number },
): BoardView {
  const rows = NAMES.map((plan, at): Row => {
    const state = states[plan] ?? 'done';
    const total = 2 + (at % 5);
    const failed = state === 'failed' || state === 'short' ? 1 : 0;
    const isOver = state === 'done' || state === 'short';
    const completed = isOver ? total - failed : Math.max(0, Math.floor(total / 2) - failed);
    const until = EVENING + minutes * MINUTE_MS - at * 1000;
    return {
      ...{ plan, cycle: '8c1e4f', seq: 1, state, total, completed, failed, until },
      error: ERRORS[plan] ?? '',
    };
  });
  const night = {
    operation: 'shutdown',
    openedAt: EVENING,
    rows: new Map(rows.map((row) => [row.plan, row])),
  };
  const { isOver = false, failedBefore } = more;
  return viewOf(night, { namespace: 'shop', isOver, failedBefore });
}

/** The board's message in each chat. */
export const BOARD_BODIES: Readonly<Record<'teamchat' | 'botchat', (view: BoardView) => Body>> = {
  teamchat: (view) => ({ ...blocksBoard(view, PLAN, OPTIONS) }),
  botchat(view) {
    const { text, mode } = htmlBoard(view, PLAN);
    return { text, parse_mode: mode };
  },
};

const each = (names: readonly string[], state: RowState): States =>
  Object.fromEntries(names.map((name) => [name, state]));
const FAILED = each(Object.keys(ERRORS), 'failed');

/** When the boards were posted. */
export const BOARDS_AT = EVENING;

/** By the name of the file in docs/img. */
export const BOARDS = {
  'board-half': board(
    5,
    {
      ...each(
        NAMES.filter((_, at) => at % 3 === 1),
        'running',
      ),
      ...each(['orders-jobs', 'media-api'], 'retrying'),
      ...FAILED,
    },
    {},
  ),
  'board-good': board(34, {}, { isOver: true, failedBefore: 0 }),
  'board-failed': board(41, { ...FAILED, 'returns-web': 'short' }, { isOver: true, failedBefore: 0 }),
} as const;
