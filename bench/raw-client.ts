import { Pool } from 'undici';

/** A message as the raw client sends it. */
export interface RawMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends messages by undici alone, `connections` at a time on as many connections; an answer counts when its body is
 * read. Resolves with the milliseconds from the first request to the last answer.
 */
export async function sendRaw(
  origin: string,
  path: string,
  messages: readonly RawMessage[],
  connections: number,
): Promise<number> {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const { statusCode, body } = await pool.request({ path, method: 'POST', ...message });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, loop));
  const took = performance.now() - begun;
  await pool.close();
  return took;
}
