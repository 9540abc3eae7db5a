import { useSetting } from '../address.ts';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { Choice } from '../common/choice.tsx';
import { useColors } from '../common/colors.ts';
import { Check, Filters, Find } from '../common/filters.tsx';
import { clockTime, exactTime, zoneName } from '../common/time.ts';
import { useStore } from '../common/use-store.ts';
import { digestOf } from './digest.ts';
import { filtered, isEmptyAt, namespacesOf, type Filter } from './filter.ts';
import { Legend } from './legend.tsx';
import { PlanRow } from './plan-row.tsx';
import { dotsPointedAt, NOTHING, type Pointed } from './pointed.ts';
import { fittingWidth, ticksOf, WIDTHS, xOf, type Window } from './timeline.ts';
import { Tooltip } from './tooltip.tsx';
import { usePrinting } from './use-printing.ts';
import { useWidth } from './use-width.ts';
import { VirtualList } from './virtual-list.tsx';

/** The board moves on this often (milliseconds). */
const TICK_MS = 500;
/** A part of the board behind the present. */
const AHEAD = 0.02;
/** So many rows are printed: each has a picture. */
const MOST_ON_PAPER = 500;

/** All plans over time, live. */
export function Tonight() {
  const store = useStore();
  const [namespace, setNamespace] = useSetting('namespace');
  const [text, setText] = useSetting('find');
  const [wrongOnly, setWrongOnly] = useSetting('wrong');
  const [shown, show] = useSetting('show');
  const filter: Filter = { namespace, text, onlyWrong: wrongOnly === '1' };
  const chosen = WIDTHS.find(({ ms }) => String(ms) === shown)?.ms;
  const [at, setAt] = useSetting('at');
  const paused = at === '' || Number.isNaN(Date.parse(at)) ? undefined : Date.parse(at);
  const [pointed, setPointed] = useState(NOTHING);
  const [, again] = useReducer<number, undefined>((count) => count + 1, 0);
  const isPaper = usePrinting();
  const colorOf = useColors(isPaper);
  const axis = useRef<HTMLDivElement>(null);
  const width = useWidth(axis, isPaper);
  useEffect(() => {
    const timer = setInterval(() => {
      again(undefined);
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);

  // One time for all rows of a tick, so that a row that has not changed is not drawn again.
  const live = Math.floor(store.now() / TICK_MS) * TICK_MS;
  const now = paused ?? live;
  const span = chosen ?? fittingWidth(store.board.values(), now);
  const window = useMemo<Window>(() => ({ from: now - span, to: now + span * AHEAD }), [now, span]);
  const rows = filtered(store.board, filter);
  const narrow = width > 0 && innerWidth < 700 && !isPaper;
  const onPoint = useCallback((found: Pointed) => {
    setPointed((before) => (before.ids.length === 0 && found.ids.length === 0 ? before : found));
  }, []);
  const namespaces = namespacesOf(store.board);
  const isKnown = namespace === '' || namespaces.includes(namespace);
  const wrong = rows.reduce((sum, { row }) => sum + digestOf(row.dots).wrong, 0);
  return (
    <div class={isPaper ? 'tonight paper' : 'tonight'}>
      <Filters>
        <Choice
          label="Namespace"
          value={filter.namespace}
          options={[
            ['', `all (${namespaces.length})`],
            ...namespaces.map((name) => [name, name] as const),
            ...(isKnown ? [] : [[namespace, `${namespace} (no plans)`] as const]),
          ]}
          onChange={setNamespace}
        />
        <Find placeholder="plan, notification or sink" value={filter.text} onChange={setText} />
        <Check
          label="only what is wrong"
          checked={filter.onlyWrong}
          onChange={(onlyWrong) => {
            setWrongOnly(onlyWrong ? '1' : '');
          }}
        />
        <Choice
          label="Show"
          value={String(chosen ?? '')}
          options={[['', 'what fits'], ...WIDTHS.map(({ label, ms }) => [String(ms), label] as const)]}
          onChange={show}
        />
        <button
          type="button"
          onClick={() => {
            setAt(paused === undefined ? new Date(live).toISOString() : '');
          }}
        >
          {paused === undefined ? 'Pause' : 'Go on'}
        </button>
        <span class="faint">
          {rows.length} {rows.length === 1 ? 'plan' : 'plans'}
          {wrong > 0 && `, ${wrong} ${wrong === 1 ? 'delivery' : 'deliveries'} to look at`}
          {paused !== undefined && `; paused at ${exactTime(paused, live)}`}
          {paused !== undefined && isEmptyAt(rows, window) && ', with nothing to show: Nights has the past'}
        </span>
      </Filters>
      {isPaper && (
        <p>
          As of {exactTime(now, 0).replace(/\.\d+$/, '')}.
          {rows.length > MOST_ON_PAPER &&
            ` Printed are the first ${MOST_ON_PAPER} of ${rows.length} plans. To print others, choose them with the filter.`}
        </p>
      )}
      <Legend colorOf={colorOf} />
      <div class="axis" aria-hidden="true">
        <span class="who faint">{zoneName()}</span>
        <div class="ticks" ref={axis}>
          {ticksOf(window, width).map((at) => (
            <span key={at} style={{ left: `${xOf(at, window, { width })}px` }}>
              {clockTime(at, span <= 1_200_000)}
            </span>
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <p class="empty">
          {store.link === 'connecting'
            ? 'Reading …'
            : store.board.size === 0
              ? 'No plan was found yet.'
              : 'No plan is like that. Change the filter.'}
        </p>
      ) : (
        <VirtualList
          items={isPaper ? rows.slice(0, MOST_ON_PAPER) : rows}
          rowHeight={narrow ? 66 : 40}
          label="Plans"
          isWhole={isPaper}
          keyOf={({ key }) => key}
        >
          {({ key, row }) => (
            <PlanRow
              id={key}
              row={row}
              window={window}
              now={now}
              width={width}
              colorOf={colorOf}
              onPoint={onPoint}
            />
          )}
        </VirtualList>
      )}
      <Tooltip dots={dotsPointedAt(store.board, pointed)} now={live} x={pointed.x} y={pointed.y} />
    </div>
  );
}
