import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Clock } from '@hnotif/core/clock';
import { garbageCollection } from '../garbage.ts';
import { Repeated } from '../slices.ts';

/** V8 collects garbage when the heap has grown by this part (percent), as in the image. Its own limit is four times the memory in use. */
const GROWTH = 40;

const MB = 2 ** 20;

/** Commands call it that run for hours on the machine of a user. The image has it as a flag. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH}`);

/** Between two looks (milliseconds). */
const LOOK_MS = 10_000;

/** The event loop is quiet if it works for a smaller part of the time. */
const QUIET = 0.1;

/** Less garbage is left where it is: the young generation always has some. */
const GARBAGE_MB = 16;

/** A larger heap is left to V8: to collect it at once takes longer than half a second. */
const MOST_MB = 512;

/** The heap whose garbage is collected. */
export interface Heap {
  /** The part of the time in which the event loop has worked since the last call (0 to 1). */
  activity(): number;
  /** The memory of objects, live and dead. */
  usedMb(): number;
  collect(): void;
}

/**
 * Collects garbage when the work is over. A night leaves a third of the memory as garbage, and V8 would collect it at the next one. Every
 * ten seconds it looks whether the event loop was quiet, and whether there is enough garbage since the last collection. With the memory
 * of 5,000 plans a collection takes a tenth of a second. Returns a function that ends it.
 */
export function collectWhenQuiet(clock: Clock, heap: Heap = new ProcessHeap()): () => void {
  let liveMb = 0;
  const looks = new Repeated(clock, LOOK_MS, function* () {
    const usedMb = heap.usedMb();
    if (heap.activity() < QUIET && usedMb >= liveMb + GARBAGE_MB && usedMb <= MOST_MB) {
      heap.collect();
      liveMb = heap.usedMb();
    }
    return true;
  });
  looks.start();
  return () => {
    looks.stop();
  };
}

class ProcessHeap implements Heap {
  #last = performance.eventLoopUtilization();
  #collect: ReturnType<typeof garbageCollection> | undefined;

  activity(): number {
    const before = this.#last;
    this.#last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.#last, before).utilization;
  }

  usedMb(): number {
    return getHeapStatistics().used_heap_size / MB;
  }

  collect(): void {
    (this.#collect ??= garbageCollection())();
    // A service without the flags of the image has this one from its first collection.
    keepHeapSmall();
  }
}
