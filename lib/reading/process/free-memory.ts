import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory may grow by so much before garbage is collected. */
const MAX_GROWTH = 24 * 1024 * 1024;

interface Collection {
  type: "major";
  flavor?: "last-resort";
}

let floor = 0;
let collect: ((options: Collection) => void) | undefined;

/**
 * Collects garbage if this thread's memory outside the heap has grown, such as PDFium's of documents that are done. V8
 * would collect it much later, and a thread that uses too much is ended.
 */
export function freeExternalMemory(): void {
  const used = getHeapStatistics().external_memory;
  floor = Math.min(floor, used);
  if (used - floor > MAX_GROWTH) {
    collectGarbage({ type: "major" });
  }
}

/** Returns the memory of a document that is done, if that was large, to the system. */
export function freeAllMemory(): void {
  const { total_heap_size: total, used_heap_size: used, external_memory } = getHeapStatistics();
  if (total - used + (external_memory - floor) > 2 * MAX_GROWTH || used > 4 * MAX_GROWTH) {
    collectGarbage({ type: "major", flavor: "last-resort" });
  }
}

function collectGarbage(options: Collection): void {
  collect ??= exposeCollector();
  collect(options);
  floor = getHeapStatistics().external_memory;
}

function exposeCollector(): (options: Collection) => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as (options: Collection) => void;
}
