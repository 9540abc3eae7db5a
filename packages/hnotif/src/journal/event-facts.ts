import { type EventFacts, eventFacts } from '@hnotif/core/lifecycle';
import * as z from 'zod';
import type { SettledEvent, Settlement } from '../dispatch/delivery.ts';
import type { MadeRequest } from '../dispatch/made-requests.ts';
import { parseRequests, requestsText } from './requests-text.ts';
import { ifValid } from './text.ts';

/** What a journal keeps of a delivery after its end, besides its outcome. */
export interface OutcomeFacts {
  /** The beginning of the id of the message (`webhook-id`). */
  readonly id?: string;
  /** How many requests it took, if more than one. */
  readonly requestCount?: number;
  /** Each of them, as far as they are kept. Absent: none was made, or an older hnotif stored it. */
  readonly requests?: readonly MadeRequest[];
  /** Absent: another line about the event has it. */
  readonly event?: EventFacts;
}

/** The facts of a delivery that has ended. `told`: its event, if that says how a run went, and the beginning of the id of the message. */
export const outcomeFacts = (
  { requestCount, requests }: Pick<Settlement, 'requestCount' | 'requests'>,
  told?: { readonly event: SettledEvent; readonly id: string },
): OutcomeFacts => ({
  ...(told && { id: told.id }),
  ...(requestCount > 1 && { requestCount }),
  ...(requests && { requests }),
  ...(told && { event: eventFacts(told.event, told.event.failed) }),
});

/** In one line: `{"id":"…","ms":"12","time":"2026-01-05T20:14:09Z","op":"shutdown","phase":"Error","took":849,"error":"…","failed":[["db","…"]],"of":9}` */
export function factsText({ event, id, requestCount, requests }: OutcomeFacts): string {
  // Absent ones leave no trace in the JSON.
  const rest = { id, tries: requestCount, ms: requests && requestsText(requests) };
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
  ms: z.string().optional().catch(undefined),
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
  const found = TEXT.safeParse(ifValid((): unknown => JSON.parse(text))).data;
  if (found === undefined) return undefined;
  const { id, tries: requestCount, ms, time, op: operation, phase, took, error, failed, of = 0 } = found;
  const first = failed?.map(([name, message]) => ({ name, message }));
  const requests = ms === undefined ? undefined : parseRequests(ms);
  return {
    ...(id !== undefined && { id }),
    ...(requestCount !== undefined && { requestCount }),
    ...(requests && { requests }),
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
