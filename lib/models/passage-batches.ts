import pLimit from "p-limit";

export interface BatchLimits {
  /** Texts per request, and requests at a time, at most. */
  batchSize: number;
  concurrency: number;
  /** Per request. */
  timeoutMs: number;
  /** About how many tokens a text has, at most. */
  tokensOf: (text: string) => number;
  /** Whether the model may answer fewer texts in time. */
  isTooSlow: (cause: unknown) => boolean;
}

export interface Send<T> {
  send: (texts: readonly string[], signal: AbortSignal) => Promise<T[]>;
  /** Awaited before each batch is first sent, with the number of its texts. */
  onBatch?: ((texts: number) => Promise<void>) | undefined;
}

/** OpenAI accepts 300,000 per request; other tokenizers may count more than this estimate. */
const MAX_BATCH_TOKENS = 200_000;
/** More texts are sent at once while a batch takes less than this share of its time limit. */
const FAST_SHARE = 1 / 6;
/** After a query was too late, that many are not exceeded for so long. */
const CALM_MS = 60_000;

/** How many texts an embedding model is sent at once: more while it is fast, half after it was too slow. */
function createPace(limits: BatchLimits) {
  const limit = pLimit(1);
  const most = limits.batchSize * limits.concurrency;
  let atOnce = 1;
  let calmUntil = 0;
  const setAtOnce = (texts: number) => {
    atOnce = Math.min(most, Math.max(1, Math.floor(texts)));
    limit.concurrency = Math.min(limits.concurrency, atOnce);
  };
  return {
    limit,
    batchSize: () =>
      Math.min(limits.batchSize, Math.max(1, Math.floor(atOnce / limits.concurrency))),
    speedUp: (texts: number, startedAt: number) => {
      const now = performance.now();
      if (now - startedAt < limits.timeoutMs * FAST_SHARE && now > calmUntil) {
        setAtOnce(atOnce + texts);
      }
    },
    slowDown: (calmMs = 0) => {
      calmUntil = Math.max(calmUntil, performance.now() + calmMs);
      setAtOnce(atOnce / 2);
    },
  };
}

/**
 * Sends the passages of a process to an embedding model, as many at once as it answers in time: one at first, twice as
 * many while it is fast, half after a time-out. So a model on one CPU is never asked for what it can't do, and queries
 * don't wait behind a long document.
 */
export function createPassageBatches(limits: BatchLimits) {
  const pace = createPace(limits);
  const queries = new Set<Promise<unknown>>();

  const sendOrHalve = async <T>(
    texts: readonly string[],
    signal: AbortSignal,
    send: Send<T>["send"],
  ): Promise<T[]> => {
    const startedAt = performance.now();
    try {
      const answers = await send(texts, signal);
      pace.speedUp(texts.length, startedAt);
      return answers;
    } catch (cause) {
      if (texts.length === 1 || !limits.isTooSlow(cause)) {
        throw cause;
      }
      pace.slowDown();
      const half = Math.ceil(texts.length / 2);
      const first = await sendOrHalve(texts.slice(0, half), signal, send);
      return first.concat(await sendOrHalve(texts.slice(half), signal, send));
    }
  };

  return {
    /** What was sent for each text, in order. Fails as a whole. Aborts what is in flight with the signal. */
    async sendAll<T>(
      texts: readonly string[],
      signal: AbortSignal,
      { send, onBatch }: Send<T>,
    ): Promise<T[]> {
      const answers: T[][] = [];
      let next = 0;
      const sendNext = async (): Promise<void> => {
        signal.throwIfAborted();
        const start = next;
        next = endOf(texts, { start, most: pace.batchSize(), tokensOf: limits.tokensOf });
        const batch = texts.slice(start, next);
        if (batch.length > 0) {
          await onBatch?.(batch.length);
          // They end within their share of the deadline.
          await Promise.allSettled(queries);
          answers[start] = await sendOrHalve(batch, signal, send);
        }
      };
      const sendInTurn = async (): Promise<void> => {
        while (next < texts.length) {
          await pace.limit(sendNext);
        }
      };
      await Promise.all(Array.from({ length: limits.concurrency }, sendInTurn));
      return answers.flat();
    },

    /** Batches that aren't sent yet wait for a query. One that is too late halves what is sent at once. */
    async putFirst<T>(query: Promise<T>): Promise<T> {
      queries.add(query);
      try {
        return await query;
      } catch (cause) {
        if (limits.isTooSlow(cause)) {
          pace.slowDown(CALM_MS);
        }
        throw cause;
      } finally {
        queries.delete(query);
      }
    },
  };
}

/** Where the batch that begins at a text ends. */
function endOf(
  texts: readonly string[],
  { start, most, tokensOf }: { start: number; most: number; tokensOf: (text: string) => number },
): number {
  let tokens = 0;
  let end = start;
  while (end < texts.length && end - start < most) {
    tokens += tokensOf(texts[end] ?? "");
    if (tokens > MAX_BATCH_TOKENS && end > start) {
      break;
    }
    end += 1;
  }
  return end;
}
