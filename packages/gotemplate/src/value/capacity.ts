/** The capacity of Go's lists, as the runtime of Go 1.22 and later on 64-bit systems gives it. */
import { type Type, INT } from './type.ts';

/** The sizes of small objects in the heap (bytes). */
const CLASSES = [
  8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416,
  448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200,
  3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384,
  18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
];
const PAGE = 8192;
/** An object with pointers has a header if it is larger than this. */
const LARGEST_WITHOUT_HEADER = 512;
const HEADER = 8;
/** Lists of up to this length grow to twice their length, longer ones by less. */
const THRESHOLD = 256;

/** What an object of this size can hold. */
function rounded(bytes: number, hasPointers: boolean): number {
  const header = hasPointers && bytes > LARGEST_WITHOUT_HEADER ? HEADER : 0;
  const found = CLASSES.find((size) => size >= bytes + header);
  return found === undefined ? Math.ceil(bytes / PAGE) * PAGE : found - header;
}

/** The capacity after one `append` that needs room for `length` elements. Elements are ints, or strings and interfaces. */
export function grown(capacity: number, length: number, elem: Type | undefined): number {
  if (length <= capacity) return capacity;
  let wanted = capacity;
  if (length > 2 * capacity) wanted = length;
  else if (capacity < THRESHOLD) wanted = 2 * capacity;
  else while (wanted < length) wanted += Math.floor((wanted + 3 * THRESHOLD) / 4);
  const [size, hasPointers] = elem === INT ? [8, false] : [16, true];
  return Math.floor(rounded(size * wanted, hasPointers) / size);
}

/** The capacity after `length` elements were appended one by one to an empty list with this capacity. */
export function appended(length: number, elem: Type | undefined, capacity = 0): number {
  let all = capacity;
  while (all < length) all = grown(all, all + 1, elem);
  return all;
}
