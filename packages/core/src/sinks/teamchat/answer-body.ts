import * as z from 'zod';

/** The fields of a successful answer that hnotif needs. */
export type ApiBody = z.output<typeof apiBody>;

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

export const apiBody = z.looseObject({
  ok: z.boolean(),
  error: text,
  /** The missing scope of `missing_scope`. */
  needed: text,
  channel: text,
  ts: text,
  response_metadata: z
    .looseObject({ messages: z.array(z.string()).optional().catch(undefined), next_cursor: text })
    .optional()
    .catch(undefined),
  retry_after: z.number().nonnegative().optional().catch(undefined),
});

/** Slack's `ok`, or the `success` of Rocket.Chat. https://github.com/RocketChat/Rocket.Chat/issues/29230 */
export const webhookBody = apiBody.extend({ ok: flag, success: flag });

/** The fields of an answer that messages are made of. */
export type Said = Pick<ApiBody, 'error' | 'needed' | 'response_metadata' | 'retry_after'> & {
  readonly ok?: boolean | undefined;
};

/** Undefined: the answer is no JSON object of this schema. */
export function readJson<T extends z.ZodType>(body: string, schema: T): z.output<T> | undefined {
  const text = body.trim();
  if (!text.startsWith('{')) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Reads the beginning of an answer that was cut: `chat.postMessage` repeats the whole message, with six characters for each one outside
 * ASCII. The fields that hnotif needs come first.
 */
export function headOf(body: string): ApiBody | undefined {
  const [, channel, ts] =
    /^\s*\{\s*"ok":\s*true,\s*"channel":\s*"(\w{1,40})",\s*"ts":\s*"(\d{1,20}\.\d{1,10})",/.exec(body) ?? [];
  return channel === undefined ? undefined : { ok: true, channel, ts };
}
