import { vi } from "vitest";

/** Every look at the clock finds it 4 ms later: the third piece of work in a turn of the event loop is its last. */
export function slowClock(): void {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 4;
    return now;
  });
}

/** Sets the clock right again, and ends the turns that it has begun. */
export async function restoreClock(): Promise<void> {
  vi.restoreAllMocks();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** The turns of the event loop that others get until the work has ended, and the most that `count` grows by in one. */
export async function turnsDuring(
  work: Promise<unknown>,
  count = () => 0,
): Promise<{ turns: number; most: number }> {
  let [turns, most, before] = [0, 0, count()];
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise(setImmediate);
    turns += 1;
    most = Math.max(most, count() - before);
    before = count();
  }
  await ended;
  return { turns, most };
}
