import type { ServerResponse } from 'node:http';

/** Ends the connection of an answer after `bytes` of its body. A shorter answer is not changed. */
export function cutAfter(response: ServerResponse, bytes: number): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let left = bytes;
  let cut = false;
  const part = (chunk: string | Uint8Array): boolean => {
    if (cut) return false;
    const data = Buffer.from(chunk);
    if (data.length < left) {
      left -= data.length;
      return write(data);
    }
    cut = true;
    // The written bytes are sent before the connection ends.
    if (left === 0) response.destroy();
    else write(data.subarray(0, left), () => response.destroy());
    return false;
  };
  // Only the overloads that this server uses.
  response.write = part;
  response.end = ((chunk?: string) => {
    if (chunk !== undefined) part(chunk);
    return cut ? response : end();
  }) as typeof end;
}
