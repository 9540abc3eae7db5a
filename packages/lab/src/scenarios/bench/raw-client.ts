import { Pool } from 'undici';

/** A message as the raw client sends it. */
export interface RawMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends messages with undici alone, `connections` at a time on as many connections. An answer counts when its body is read. Rejects if an
 * answer is not 200.
 */
export async function sendRaw(
  { origin, cert }: { readonly origin: string; readonly cert: string | undefined },
  messages: readonly RawMessage[],
  connections: number,
): Promise<void> {
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca: cert } });
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      const { statusCode, body } = await pool.request({ method: 'POST', ...message });
      await body.text();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  await pool.close();
}
