import { memo } from 'preact/compat';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Dot, Row } from '@hnotif/core/page';
import { linkTo } from '../address.ts';
import type { ColorOf } from '../common/colors.ts';
import { drawRow } from './draw.ts';
import { NOTHING, type Pointed } from './pointed.ts';
import { ALL_STATES, STATES } from './states.ts';
import { dotsAt, type PlacedDot, type Window } from './timeline.ts';

interface PlanRowProps {
  /** The key of the row. */
  readonly id: string;
  readonly row: Row;
  readonly window: Window;
  readonly now: number;
  /** Changes when the row has another width. */
  readonly width: number;
  readonly colorOf: ColorOf;
  /** Called with what is under the pointer; no ids: it has left them. */
  readonly onPoint: (pointed: Pointed) => void;
}

/** A plan: its name and phase, and its events and deliveries over time. */
export const PlanRow = memo(function PlanRow({
  id,
  row,
  window,
  now,
  width,
  colorOf,
  onPoint,
}: PlanRowProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = useRef<readonly PlacedDot[]>([]);
  const [selected, select] = useState<string>();
  useLayoutEffect(() => {
    if (canvas.current !== null)
      placed.current = drawRow(canvas.current, row, window, now, colorOf, selected);
  }, [row, window, now, width, selected, colorOf]);

  const pointAt = (dots: readonly PlacedDot[], x: number, y: number): void => {
    onPoint({ key: id, ids: dots.map(({ dot }) => dot.id), x, y });
  };
  const point = (event: MouseEvent): void => {
    pointAt(dotsAt(placed.current, event.offsetX, event.offsetY), event.clientX, event.clientY);
  };
  const open = (dot: Dot | undefined): void => {
    if (dot?.ref !== undefined) location.hash = linkTo('delivery', dot.ref);
  };
  const leave = (): void => {
    select(undefined);
    onPoint(NOTHING);
  };
  const step = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter') open(placed.current.find(({ dot }) => dot.id === selected)?.dot);
    if (by === undefined || canvas.current === null) return;
    event.preventDefault();
    const inOrder = [...placed.current].sort((a, b) => a.dot.at - b.dot.at);
    const at = inOrder.findIndex(({ dot }) => dot.id === selected);
    const next = inOrder[at < 0 ? inOrder.length - 1 : Math.min(inOrder.length - 1, Math.max(0, at + by))];
    if (next === undefined) return;
    select(next.dot.id);
    const { left, top } = canvas.current.getBoundingClientRect();
    pointAt([next], left + next.x, top + next.y);
  };
  const { namespace, phase, plan } = row;
  return (
    <>
      <div class="who" title={`${namespace}/${plan}`}>
        <a href={linkTo('why', namespace, plan)}>{plan}</a>
        <span class="faint">{namespace}</span>
        <span class={phase === 'Error' ? 'phase wrong' : 'phase'}>{phase}</span>
      </div>
      <canvas
        ref={canvas}
        class="timeline"
        role="img"
        tabIndex={0}
        aria-label={`${plan}: ${summaryOf(row)}`}
        onClick={(event) => {
          open(dotsAt(placed.current, event.offsetX, event.offsetY).at(0)?.dot);
        }}
        onMouseMove={point}
        onMouseLeave={leave}
        onBlur={leave}
        onKeyDown={step}
      />
    </>
  );
});

const STEPS: Readonly<Record<string, number | undefined>> = { ArrowLeft: -1, ArrowRight: 1 };

/** `phase Hibernated; 12 delivered, 1 parked` */
function summaryOf({ dots, phase }: Row): string {
  const counts = new Map<string, number>();
  for (const { count, state } of dots.values()) counts.set(state, (counts.get(state) ?? 0) + count);
  const parts = ALL_STATES.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [`${count} ${STATES[state].label}`];
  });
  return `phase ${phase}; ${parts.length === 0 ? 'no deliveries' : parts.reverse().join(', ')}`;
}
