import type { Board, Dot } from '@hnotif/core/page';

/** The dots under the pointer, or the dot that the keyboard selects, with their place in the window (pixels). */
export interface Pointed {
  /** The key of the row. */
  readonly key: string;
  readonly ids: readonly string[];
  readonly x: number;
  readonly y: number;
}

export const NOTHING: Pointed = { key: '', ids: [], x: 0, y: 0 };

/** The dots as they are now: what waited when it was pointed at may have arrived. */
export function dotsPointedAt(board: Board, { key, ids }: Pointed): readonly Dot[] {
  const dots = board.get(key)?.dots;
  return ids.flatMap((id) => dots?.get(id) ?? []);
}
