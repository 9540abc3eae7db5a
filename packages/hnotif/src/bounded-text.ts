/** A stream as UTF-8 text. Undefined: it has more than `most` bytes, and the rest is not read. */
export async function boundedText(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
