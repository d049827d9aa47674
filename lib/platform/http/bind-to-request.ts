import { AsyncLocalStorage } from "node:async_hooks";
import type { AppError } from "@/lib/errors";

/** What a stream needs of its request after its handler has returned. */
export interface StreamFacts {
  /** Aborts the signal when the stream's reader notices the disconnect first. */
  onDisconnect: () => void;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** May be called more than once; the first call counts. */
  onEnd: (end: { error?: AppError; isCut: boolean }) => void;
}

/** Runs each step of `events` in the async context of the current request, and cancels it when the signal aborts. */
export function bindToRequest<T>(events: AsyncIterable<T>, { signal, onEnd }: StreamFacts) {
  const source = events[Symbol.asyncIterator]();
  const inRequest = AsyncLocalStorage.snapshot();
  let canceled: Promise<void> | undefined;
  const cancel = () => {
    canceled ??= inRequest(async () => {
      await source.return?.();
    }).finally(() => onEnd({ isCut: true }));
    return canceled;
  };
  // The stream's reader reports a failure.
  signal.addEventListener("abort", () => void cancel().catch(() => {}), { once: true });
  return {
    next: () => inRequest(() => source.next()),
    cancel,
    isCanceled: () => canceled !== undefined,
  };
}
