import { readWork, type Work } from './work.ts';

/** A code is text from anybody: what it unpacks to is bounded (bytes). Twice the longest template, and an event beside it. */
const MOST_BYTES = 1 << 20;
const LONGEST_CODE = 1 << 20;

/** The work as a part of an address: JSON, compressed, in base64url. */
export async function encodeWork(work: Work): Promise<string> {
  const json = new Blob([JSON.stringify(work)]).stream();
  const bytes = new Uint8Array(
    await new Response(json.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  );
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The work that a code holds; undefined: it holds none, or more than any work is. Never rejects. */
export async function decodeWork(code: string): Promise<Work | undefined> {
  if (code.length > LONGEST_CODE) return undefined;
  try {
    const binary = atob(code.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const json = await textOf(unpacked, MOST_BYTES);
    return json === undefined ? undefined : readWork(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Reads a stream to its end; undefined: it has more bytes. */
async function textOf(stream: ReadableStream<Uint8Array>, most: number): Promise<string | undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
