import type { ServerResponse } from 'node:http';

/** Ends the connection of an answer once `bytes` of its body are out. An answer that is shorter is not touched. */
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
    // What was written is on its way before the connection ends.
    if (left === 0) response.destroy();
    else write(data.subarray(0, left), () => response.destroy());
    return false;
  };
  // Of the overloads those alone which this server uses.
  response.write = part;
  response.end = ((chunk?: string) => {
    if (chunk !== undefined) part(chunk);
    return cut ? response : end();
  }) as typeof end;
}
