import { type EventFacts, eventFacts } from '@hnotif/core/lifecycle';
import * as z from 'zod';
import type { SettledEvent } from '../dispatch/delivery.ts';

/** What a journal keeps of a delivery after its end, besides its outcome. */
export interface OutcomeFacts {
  /** The beginning of the id of the message (`webhook-id`). */
  readonly id?: string;
  /** How many requests it took, if more than one. */
  readonly tries?: number;
  /** Absent: another line about the event has it. */
  readonly event?: EventFacts;
}

/** The facts of a delivery that has ended. */
export const outcomeFacts = (event: SettledEvent, id: string, tries: number): OutcomeFacts => ({
  id,
  ...(tries > 1 && { tries }),
  event: eventFacts(event, event.failed),
});

/** In one line: `{"id":"…","time":"2026-01-05T20:14:09Z","op":"shutdown","phase":"Error","took":849,"error":"…","failed":[["db","…"]],"of":9}` */
export function factsText({ event, ...rest }: OutcomeFacts): string {
  if (event === undefined) return JSON.stringify(rest);
  const { time, operation: op, failed, ...more } = event;
  const targets = failed && {
    failed: failed.first.map(({ name, message }) => [name, message]),
    of: failed.count,
  };
  return JSON.stringify({ ...rest, time: time.replace('.000Z', 'Z'), op, ...more, ...targets });
}

const COUNT = z.number().int().nonnegative();
const TEXT = z.object({
  id: z.string().optional(),
  tries: COUNT.optional(),
  time: z.string().optional(),
  op: z.string().default(''),
  phase: z.string().default(''),
  took: COUNT.optional(),
  error: z.string().optional(),
  failed: z.array(z.tuple([z.string(), z.string()])).optional(),
  of: COUNT.optional(),
});

/** Undefined: hnotif did not write the text. */
export function parseFacts(text: string): OutcomeFacts | undefined {
  const found = TEXT.safeParse(jsonOf(text)).data;
  if (found === undefined) return undefined;
  const { id, tries, time, op: operation, phase, took, error, failed, of = 0 } = found;
  const first = failed?.map(([name, message]) => ({ name, message }));
  return {
    ...(id !== undefined && { id }),
    ...(tries !== undefined && { tries }),
    ...(time !== undefined && {
      event: {
        ...{ time, operation, phase },
        ...(took !== undefined && { took }),
        ...(error !== undefined && { error }),
        ...(first && { failed: { first, count: of } }),
      },
    }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
