import "server-only";

/** The most that one statement does: beyond it, more a statement saves no more time. */
const BATCH_SIZE = 256;

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (cause: unknown) => void;
}

/** Does a batch, and gives an outcome for each item, in their order. */
export type Work<In, Out> = (lane: string, items: readonly In[]) => Promise<readonly Out[]>;

/**
 * One statement at a time in each lane; what arrives while it is in flight goes together in the next one.
 * No timer: the first of a quiet lane goes at once. A batch that fails is done again one by one, so that
 * only what cannot be done fails.
 */
export class Lanes<In, Out> {
  readonly #waiting = new Map<string, Waiting<In, Out>[]>();

  constructor(readonly work: Work<In, Out>) {}

  run(lane: string, item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      const waiting = this.#waiting.get(lane);
      if (waiting) {
        waiting.push(one);
      } else {
        this.#waiting.set(lane, [one]);
        void this.#drain(lane);
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
    }
  }

  async #do(lane: string, batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outcomes = await this.work(
        lane,
        batch.map(({ item }) => item),
      );
      if (outcomes.length !== batch.length) {
        throw new Error(`${batch.length} items had ${outcomes.length} outcomes`);
      }
      for (const [index, { resolve }] of batch.entries()) {
        resolve(outcomes[index] as Out);
      }
    } catch (cause) {
      if (batch.length === 1) {
        batch[0]?.reject(cause);
        return;
      }
      for (const one of batch) {
        await this.#do(lane, [one]);
      }
    }
  }
}
