import "server-only";

import { processSingleton } from "@/lib/singleton";
import { asSystem } from "./tenant-context";
import { isDatabaseUnavailable } from "./unavailable";

/** The most that one statement does: beyond it, more a statement saves no more time. */
const BATCH_SIZE = 256;

/** How long a lane waits for its statement: what hangs must not keep all that come after it. */
export const BATCH_TIMEOUT_MS = 5000;

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (cause: unknown) => void;
}

/** Does a batch, and gives an outcome for each item, in their order. */
export type BatchFn<In, Out> = (lane: string, items: readonly In[]) => Promise<readonly Out[]>;

const all = processSingleton("batcher stats", () => ({ waiting: 0, done: 0 }));

/** What waits in all lanes of this process, what is being done included, and what was done so far. */
export function batcherStats(): { waiting: number; done: number } {
  return all;
}

/**
 * One statement at a time in each lane; what arrives while it is in flight goes together in the next one.
 * No timer: a quiet lane goes at the end of the event loop's turn, with all that the turn brought: what one
 * statement lets go on comes to the next one together. A batch that the database refuses for what is in it is
 * done again one by one, so that only what cannot be done fails; any other failure is all of theirs at once.
 */
export class Batcher<In, Out> {
  readonly #waiting = new Map<string, Waiting<In, Out>[]>();

  constructor(readonly work: BatchFn<In, Out>) {}

  run(lane: string, item: In): Promise<Out> {
    all.waiting += 1;
    return new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      const waiting = this.#waiting.get(lane);
      if (waiting) {
        waiting.push(one);
      } else {
        this.#waiting.set(lane, [one]);
        // What comes together is of many tenants, and the first of them is no better than the others.
        asSystem(() => setImmediate(() => void this.#drain(lane)));
      }
    });
  }

  async #drain(lane: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(lane)?.splice(0, BATCH_SIZE) ?? [];
      if (batch.length === 0) {
        this.#waiting.delete(lane);
        return;
      }
      await this.#do(lane, batch);
      all.waiting -= batch.length;
      all.done += batch.length;
    }
  }

  async #do(lane: string, batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const outcomes = await this.work(lane, items);
      if (outcomes.length !== batch.length) {
        throw new Error(`${batch.length} items had ${outcomes.length} outcomes`);
      }
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Out);
      });
    } catch (cause) {
      await this.#afterFailure(lane, batch, cause);
    }
  }

  async #afterFailure(
    lane: string,
    batch: readonly Waiting<In, Out>[],
    cause: unknown,
  ): Promise<void> {
    const isForOne = batch.length > 1 && isRefusedContent(cause);
    for (const one of batch) {
      if (isForOne) {
        await this.#do(lane, [one]);
      } else {
        one.reject(cause);
      }
    }
    // What waits behind would only find out one statement after the other.
    const behind = isDatabaseUnavailable(cause) ? (this.#waiting.get(lane)?.splice(0) ?? []) : [];
    all.waiting -= behind.length;
    for (const one of behind) {
      one.reject(cause);
    }
  }
}

/** Whether the database answered that a value or a constraint is wrong, and so did nothing of a statement. */
function isRefusedContent(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  // Data exceptions, broken constraints, and what our own functions raise.
  return /^(22|23|P0)\w{3}$/.test(code);
}
