import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects garbage when the heap has grown by 40 %, as in the image. By default the heap grows to four times the memory in use.
 * Commands call it that run for hours on the machine of a user.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--heap-growing-percent=40');
