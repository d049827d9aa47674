import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { freeAllMemory, freeExternalMemory } from "./free-memory";

const PAGES = 512;
/** A single memory may still be on the stack. */
const ROUNDS = 4;
const NUMBERS = 15_000_000;

it("collects garbage outside the heap once there is much of it", async () => {
  const left: WeakRef<WebAssembly.Memory>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    left.push(new WeakRef(new WebAssembly.Memory({ initial: PAGES })));
    await setImmediate();
    freeExternalMemory();
  }
  expect(left.filter((memory) => memory.deref() === undefined)).not.toHaveLength(0);
});

it("collects what a large document leaves in the heap", async () => {
  const left = new WeakRef(new Array(NUMBERS).fill(0.5));
  await setImmediate();
  freeAllMemory();
  expect(left.deref()).toBeUndefined();
});
