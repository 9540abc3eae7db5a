import { addressIdOf, type DeliveryRow } from '@hnotif/core/page';
import type { ComponentChildren } from 'preact';
import { linkTo } from '../address.ts';
import { exactTime, localTimes, zoneTitle } from './time.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row, at: number) => ComponentChildren;
  /** The class of its cells. */
  readonly look?: string | ((row: Row) => string | undefined);
}

interface TableProps<Row> {
  /** The id of its heading. */
  readonly heading: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Whether it is as long as its rows. Default: it scrolls. */
  readonly isWhole?: boolean;
}

/** A table in a box of its own, so that a wide one does not widen the page. */
export function Table<Row>({ heading, columns, rows, isWhole = false }: TableProps<Row>) {
  return (
    <div class={isWhole ? 'scroll whole' : 'scroll'} tabIndex={0} role="region" aria-labelledby={heading}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ title, cell, look }) => (
                <td key={title} class={typeof look === 'function' ? look(row) : look}>
                  {cell(row, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** When something was, in the chosen zone. */
export const timeColumn = (now: number): Column<{ readonly at: string }> => ({
  title: zoneTitle(),
  look: 'mono',
  cell: ({ at }) => exactTime(Date.parse(at), now),
});

export const planColumn: Column<{ readonly namespace: string; readonly plan: string }> = {
  title: 'Plan',
  cell: ({ namespace, plan }) => (
    <>
      <a href={linkTo('why', namespace, plan)}>{plan}</a> <span class="faint">{namespace}</span>
    </>
  ),
};

/** The event, with a link to its delivery if that has an id. */
export const eventColumn: Column<DeliveryRow> = {
  title: 'Event',
  cell(row) {
    const id = addressIdOf(row);
    return id === undefined ? row.event : <a href={linkTo('delivery', id)}>{row.event}</a>;
  },
};

export const sinkColumn: Column<DeliveryRow> = {
  title: 'Sink',
  look: 'mono',
  cell: ({ notification, sink }) => `${notification}/${sink}`,
};

export const stateColumn: Column<DeliveryRow> = {
  title: 'State',
  look: ({ state }) => `state ${state}`,
  cell: ({ count, state }) => (count > 1 ? `${state} (${count})` : state),
};

export const whyColumn = (now: number): Column<DeliveryRow> => ({
  title: 'Why',
  look: 'words',
  cell: ({ why }) => localTimes(why, now),
});
