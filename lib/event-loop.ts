import { setImmediate } from "node:timers";
import { processSingleton } from "./singleton";

/** Work that has run for this long lets others run. A piece that starts just before may overrun it several times. */
const MAX_TURN_MS = 5;

const loop = processSingleton("event loop", () => ({
  /** When the work of this turn began; null before it has. */
  startedAt: null as number | null,
  waiting: [] as (() => void)[],
}));

/**
 * To be awaited between the pieces of long work: nothing to wait for while this turn of the event loop is young, and
 * otherwise a later turn. All work of the process shares the turn, and each turn resumes one piece, so that many
 * requests together hold up others no longer than one does.
 */
export function yieldIfLong(): Promise<void> | undefined {
  if (loop.startedAt === null) {
    beginTurn();
    return undefined;
  }
  return performance.now() - loop.startedAt < MAX_TURN_MS
    ? undefined
    : new Promise((resolve) => loop.waiting.push(resolve));
}

function beginTurn(): void {
  loop.startedAt = performance.now();
  setImmediate(() => {
    loop.startedAt = null;
    const resume = loop.waiting.shift();
    if (resume) {
      beginTurn();
      resume();
    }
  });
}
