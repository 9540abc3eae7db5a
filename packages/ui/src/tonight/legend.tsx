import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ColorOf } from '../common/colors.ts';
import { drawShape } from './draw.ts';
import { ALL_STATES, KNOWN_PHASES, phaseColor, STATES, type StateLook } from './states.ts';

/** What the shapes and bands mean. */
export function Legend({ colorOf }: { readonly colorOf: ColorOf }) {
  return (
    <details class="legend">
      <summary>Legend</summary>
      <ul>
        {[...ALL_STATES].reverse().map((state) => (
          <li key={state}>
            <Shape look={STATES[state]} colorOf={colorOf} />
            <b>{STATES[state].label}</b> {STATES[state].meaning}
          </li>
        ))}
      </ul>
      <ul>
        {KNOWN_PHASES.map((phase) => (
          <li key={phase}>
            <span class="swatch" style={{ background: `var(${phaseColor(phase)})` }} /> {phase}
          </li>
        ))}
      </ul>
      <p class="faint">
        A line is a Start, Success, Failure or Recovery. A row with the focus: arrow keys walk through its
        deliveries, Enter opens one.
      </p>
    </details>
  );
}

function Shape({ look, colorOf }: { readonly look: StateLook; readonly colorOf: ColorOf }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null) return;
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, 16, 16);
    drawShape(context, look, colorOf(look.color), colorOf('--surface'), 8, 8);
  });
  return <canvas ref={canvas} class="shape" width={32} height={32} aria-hidden="true" />;
}
