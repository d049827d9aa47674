import "server-only";

import { processSingleton } from "@/lib/singleton";
import { asSystem } from "./tenant-context";
import { isDatabaseUnavailable } from "./unavailable";

/** Larger batches don't save any more time per item. */
const BATCH_SIZE = 256;

/**
 * Part of a statement that moves money: it commits without waiting for the disk or a standby, and so releases the
 * account's row sooner. Who needs to know that it is there waits for a later commit that does.
 */
export const ASYNC_COMMIT =
  "(SELECT set_config('synchronous_commit', 'off', true)) AS commit (mode)";

/** A hanging statement must not block everything queued behind it. */
export const BATCH_TIMEOUT_MS = 5000;

type Waiting<In, Out> = Omit<PromiseWithResolvers<Out>, "promise"> & { item: In };

const all = processSingleton("batcher stats", () => ({ waiting: 0, done: 0 }));

/** Items waiting or in flight in this process, and items completed so far. */
export function batcherStats(): { waiting: number; done: number } {
  return all;
}

/**
 * Runs one statement at a time per key; items that arrive while it is in flight share the next one. There is no
 * timer: an idle key's batch starts at the end of the current event-loop turn. When the database rejects a batch's
 * content, its items run one by one, so that only the faulty ones fail; any other failure rejects the whole batch.
 */
export class Batcher<In, Out> {
  readonly #waiting = new Map<string, Waiting<In, Out>[]>();

  /** `work` returns one outcome per item, in order. */
  constructor(readonly work: (key: string, items: readonly In[]) => Promise<readonly Out[]>) {}

  run(key: string, item: In): Promise<Out> {
    all.waiting += 1;
    const { promise, ...settle } = Promise.withResolvers<Out>();
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.push({ item, ...settle });
    } else {
      this.#waiting.set(key, [{ item, ...settle }]);
      // A batch mixes tenants, so it must not run in the first caller's context.
      asSystem(() => setImmediate(() => void this.#drain(key)));
    }
    return promise;
  }

  async #drain(key: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(key)?.splice(0, BATCH_SIZE) ?? [];
      if (batch.length === 0) {
        this.#waiting.delete(key);
        return;
      }
      await this.#runBatch(key, batch);
      all.waiting -= batch.length;
      all.done += batch.length;
    }
  }

  async #runBatch(key: string, batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const outcomes = await this.work(key, items);
      if (outcomes.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items returned ${outcomes.length} outcomes`);
      }
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Out);
      });
    } catch (cause) {
      await this.#afterFailure(key, batch, cause);
    }
  }

  async #afterFailure(
    key: string,
    batch: readonly Waiting<In, Out>[],
    cause: unknown,
  ): Promise<void> {
    const shouldSplit = batch.length > 1 && isContentError(cause);
    for (const one of batch) {
      if (shouldSplit) {
        await this.#runBatch(key, [one]);
      } else {
        one.reject(cause);
      }
    }
    // Otherwise queued items would fail one statement at a time.
    const queued = isDatabaseUnavailable(cause) ? (this.#waiting.get(key)?.splice(0) ?? []) : [];
    all.waiting -= queued.length;
    for (const one of queued) {
      one.reject(cause);
    }
  }
}

/** Whether the database rejected a value or violated a constraint, and so rolled back the statement. */
function isContentError(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  // Data exceptions, constraint violations, and errors raised by our own functions.
  return /^(22|23|P0)\w{3}$/.test(code);
}
