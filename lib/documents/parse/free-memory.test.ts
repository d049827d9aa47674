import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { freeAllMemory, freeExternalMemory } from "./free-memory";

const PAGES = 512;
const NUMBERS = 15_000_000;

it("collects garbage outside the heap once there is much of it", async () => {
  const large = new WeakRef(new WebAssembly.Memory({ initial: PAGES }));
  await setImmediate();
  freeExternalMemory();
  expect(large.deref()).toBeUndefined();
});

it("collects what a large document leaves in the heap", async () => {
  const left = new WeakRef(new Array(NUMBERS).fill(0.5));
  await setImmediate();
  freeAllMemory();
  expect(left.deref()).toBeUndefined();
});
