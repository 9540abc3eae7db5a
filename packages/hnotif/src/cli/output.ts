import { isRaw, type Raw } from '@hnotif/core/resources';
import type { OutputFormat } from './cluster-flags.ts';
import type { Io } from './io.ts';
import { table, type Column } from './table.ts';
import { toJson, toYaml } from './format.ts';

/** Objects as the cluster has them, and as rows of a table. */
export interface Listing<Row> {
  /** The kind of `-o json` lists. */
  readonly objects: readonly unknown[];
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** `hibernatenotification.hibernation.dev/NAME` of each row, for `-o name`. */
  readonly nameOf: (row: Row) => string;
}

/** Prints objects in the format of `-o`. `one`: the user named the object, so no list is printed. */
export function print<Row>(
  { objects, rows, columns, nameOf }: Listing<Row>,
  format: OutputFormat,
  io: Io,
  one = false,
): void {
  switch (format) {
    case 'name':
      io.out(rows.map((row) => `${nameOf(row)}\n`).join(''));
      return;
    case 'json':
    case 'yaml': {
      const items = objects.map(withoutManagedFields);
      const [first] = items;
      const shown = one && first !== undefined ? first : { apiVersion: 'v1', kind: 'List', items };
      io.out(format === 'json' ? toJson(shown) : toYaml([shown]));
      return;
    }
    default:
      io.out(
        format === 'wide'
          ? table(columns, rows, { columns: undefined, colour: (...text) => io.colour(...text) }, true)
          : table(columns, rows, io),
      );
  }
}

/** As kubectl prints objects. */
function withoutManagedFields(object: unknown): Raw {
  if (!isRaw(object)) return {};
  if (!isRaw(object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
