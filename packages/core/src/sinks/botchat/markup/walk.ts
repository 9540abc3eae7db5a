import { endOf, type Entity, type Formatted } from '@hnotif/judges/telegram';

/** Receives a text with its entities, from the beginning to the end. */
export interface Writer {
  begin(entity: Entity): void;
  /** `isCode`: it is within code, in which markup is ignored. */
  text(part: string, isCode: boolean): void;
  end(entity: Entity): void;
}

/** Goes over a text whose entities are sorted, and nested or separate. */
export function walk({ text, entities }: Formatted, writer: Writer): void {
  const open: Entity[] = [];
  let at = 0;
  const write = (end: number): void => {
    const type = open.at(-1)?.type;
    if (end > at) writer.text(text.slice(at, end), type === 'code' || type === 'pre');
    at = end;
  };
  const advance = (to: number): void => {
    for (let last = open.at(-1); last !== undefined && endOf(last) <= to; last = open.at(-1)) {
      write(endOf(last));
      open.pop();
      writer.end(last);
    }
    write(to);
  };
  for (const entity of entities) {
    advance(entity.offset);
    open.push(entity);
    writer.begin(entity);
  }
  advance(text.length);
}
