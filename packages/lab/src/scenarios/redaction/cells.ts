import { ECHOES } from './canary.ts';
import { BOARD_MODES, type Configured, type Mode, MODES } from './modes.ts';
import { type Outcome, OUTCOMES } from './outcomes.ts';

/** One sink with what becomes of its deliveries. */
export interface Cell {
  /** The name of its sink, `c17`, by which it is found on every surface. */
  readonly id: string;
  readonly mode: Mode;
  readonly outcome: Outcome;
  readonly configured: Configured;
  /** What stands in its secret, where that is not its configuration as it should be. */
  readonly text?: string;
  /** What its receiver echoes: some of its credentials, in some forms. */
  readonly echo: string;
  /** Which: `bot_token, base64`. */
  readonly echoes: readonly string[];
}

/** So many fit into what is shown of a receiver's words once they are redacted. */
const ECHOES_A_CELL = 14;

let count = 0;

/** Makes cells of a mode; from one to the next other forms are echoed, until all have been. */
export function cellsOf(mode: Mode, outcomes: readonly Outcome[], port: number): Cell[] {
  return outcomes.map((outcome, index) => {
    const id = `c${++count}`;
    const configured = mode.config(id, port);
    const pairs = Object.keys(configured.credentials).flatMap((credential) =>
      Object.keys(ECHOES).map((form) => ({ credential, form })),
    );
    const chosen = Array.from(
      { length: ECHOES_A_CELL },
      (_, step) => pairs[(index * ECHOES_A_CELL + step) % pairs.length],
    );
    const parts = chosen.flatMap((pair) => {
      const value = configured.credentials[pair?.credential ?? ''];
      return pair === undefined || value === undefined ? [] : [ECHOES[pair.form]?.(value) ?? ''];
    });
    return {
      id,
      mode,
      outcome,
      configured,
      echo: parts.join(' '),
      echoes: chosen.flatMap((pair) => (pair === undefined ? [] : [`${pair.credential}, ${pair.form}`])),
    };
  });
}

/** Every row of every sink's table. */
export const answerCells = (port: number): Cell[] =>
  [...MODES, ...BOARD_MODES].flatMap((mode) => cellsOf(mode, OUTCOMES.get(mode.answers) ?? [], port));
