import type { Row } from '@hnotif/core/page';
import type { ColorOf } from '../common/colors.ts';
import { phaseColor, STATES, type StateLook } from './states.ts';
import { placeDots, placeMarks, placeSpans, type Box, type PlacedDot, type Window } from './timeline.ts';

/** Draws a row, and returns where its dots are. `selected`: the id of a dot with a frame. */
export function drawRow(
  canvas: HTMLCanvasElement,
  row: Row,
  window: Window,
  now: number,
  colorOf: ColorOf,
  selected: string | undefined,
): readonly PlacedDot[] {
  const scale = devicePixelRatio;
  const box: Box = { width: canvas.clientWidth, height: canvas.clientHeight };
  const [width, height] = [Math.round(box.width * scale), Math.round(box.height * scale)];
  // Setting a size clears the canvas, and costs more than clearing it.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const dots = placeDots(row, window, box);
  const context = canvas.getContext('2d');
  if (context === null) return dots;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, box.width, box.height);
  for (const { phase, x, width: wide } of placeSpans(row.spans, window, now, box)) {
    context.fillStyle = colorOf(phaseColor(phase));
    context.fillRect(x, 4, Math.max(1, wide), box.height - 8);
  }
  for (const { mark, x } of placeMarks(row.marks, window, box)) {
    context.fillStyle = colorOf(
      mark.kind === 'Failure' ? '--failed' : mark.kind === 'Recovery' ? '--retried' : '--faint',
    );
    context.fillRect(Math.round(x) - 0.5, 2, 1, box.height - 4);
  }
  for (const { dot, isUnder, x, y } of dots) {
    const look = STATES[dot.state];
    if (!isUnder) drawShape(context, look, colorOf(look.color), colorOf('--surface'), x, y);
    if (dot.id !== selected) continue;
    context.strokeStyle = colorOf('--focus');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.stroke();
  }
  return dots;
}

/** Draws a shape of some 9 pixels, with a thin edge that parts it from what is behind it. */
export function drawShape(
  context: CanvasRenderingContext2D,
  { shape }: Pick<StateLook, 'shape'>,
  color: string,
  edge: string,
  x: number,
  y: number,
): void {
  context.fillStyle = color;
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.beginPath();
  switch (shape) {
    case 'small':
      context.arc(x, y, 2.5, 0, 2 * Math.PI);
      break;
    case 'disc':
    case 'ring':
      context.arc(x, y, 4.5, 0, 2 * Math.PI);
      break;
    case 'triangle':
      polygon(context, [
        [x, y - 5.5],
        [x + 5.5, y + 4.5],
        [x - 5.5, y + 4.5],
      ]);
      break;
    case 'square':
      context.rect(x - 4.5, y - 4.5, 9, 9);
      break;
    case 'diamond':
      polygon(context, [
        [x, y - 6],
        [x + 6, y],
        [x, y + 6],
        [x - 6, y],
      ]);
      break;
    case 'cross':
      polygon(
        context,
        CROSS.map(([dx, dy]) => [x + dx, y + dy]),
      );
      break;
  }
  if (shape === 'ring') {
    context.fillStyle = edge;
    context.fill();
    context.strokeStyle = color;
    context.lineWidth = 2;
  } else context.fill();
  context.stroke();
}

type Point = readonly [x: number, y: number];

/** Two bars of some 3 pixels. */
const CROSS: readonly Point[] = [
  ...([
    [0, -2],
    [3, -5.5],
    [5.5, -3],
    [2, 0],
    [5.5, 3],
    [3, 5.5],
  ] as const),
  ...([
    [0, 2],
    [-3, 5.5],
    [-5.5, 3],
    [-2, 0],
    [-5.5, -3],
    [-3, -5.5],
  ] as const),
];

function polygon(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  points.forEach(([x, y], at) => {
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.closePath();
}
