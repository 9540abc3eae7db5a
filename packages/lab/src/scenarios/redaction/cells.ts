import { ECHOES } from './canary.ts';
import type { Configured, Mode } from './modes.ts';
import type { Cause, Outcome } from './outcomes.ts';

/** One sink with what becomes of its deliveries. */
export interface Cell {
  /** The name of its sink, `c17`, by which it is found on every surface. */
  readonly id: string;
  readonly mode: Mode;
  readonly outcome: Outcome;
  readonly configured: Configured;
  /** What stands in its secret, where that is not its configuration as it should be. */
  readonly text?: string;
  /** What all receivers meet while it is played; undefined: each answers as its cell says. */
  readonly cause?: Cause;
  /** Whether its notification has no other sink. */
  readonly isAlone: boolean;
  /** What its receiver echoes: some of its credentials, in some forms. */
  readonly echo: string;
  /** Which: `bot_token, base64`. */
  readonly echoes: readonly string[];
}

/** So many fit into what is shown of a receiver's words once they are redacted. */
const ECHOES_A_CELL = 14;

let count = 0;

/** What a receiver may echo of a mode: each of its credentials in each form. */
export const echoesOf = ({ credentials }: Configured): { what: string; text: string }[] =>
  Object.entries(credentials).flatMap(([credential, value]) =>
    Object.entries(ECHOES).map(([form, of]) => ({ what: `${credential}, ${form}`, text: of(value) })),
  );

/** Makes cells of a mode; from one to the next other forms are echoed, until all have been. */
export const cellsOf = (
  mode: Mode,
  outcomes: readonly Outcome[],
  port: number,
  more: Partial<Pick<Cell, 'cause' | 'isAlone' | 'text'>> = {},
): Cell[] =>
  outcomes.map((outcome, index) => {
    const id = `c${++count}`;
    const configured = mode.config(id, port);
    const all = echoesOf(configured);
    const chosen = all.slice(0, ECHOES_A_CELL).flatMap((_, step) => {
      return all[(index * ECHOES_A_CELL + step) % all.length] ?? [];
    });
    const [echo, echoes] = [chosen.map(({ text }) => text).join(' '), chosen.map(({ what }) => what)];
    return { isAlone: false, ...more, id, mode, outcome, configured, echo, echoes };
  });
