import { AsyncLocalStorage } from "node:async_hooks";
import type { AppError } from "@/lib/errors";

/** What a stream that outlives its handler has of its request. */
export interface StreamFacts {
  /** Ends the signal, when the stream's reader is the first to know. */
  onDisconnect: () => void;
  /** Ends when the client hangs up, whoever knows it first. */
  signal: AbortSignal;
  /** Called once or more; the first time tells how it ended. */
  onEnd: (end: { error?: AppError; isCut: boolean }) => void;
}

/** The steps of a source that is part of a request. */
interface Source<T> {
  next: () => Promise<IteratorResult<T>>;
  /** Ends it before its end. */
  leave: () => Promise<void>;
  hasLeft: () => boolean;
}

/** An iterator whose steps are part of the request that opened it, whoever takes them; it ends with the signal. */
export function bindToRequest<T>(
  events: AsyncIterable<T>,
  { signal, onEnd }: StreamFacts,
): Source<T> {
  const source = events[Symbol.asyncIterator]();
  const inRequest = AsyncLocalStorage.snapshot();
  let left: Promise<void> | undefined;
  const leave = () => {
    left ??= inRequest(async () => {
      await source.return?.();
    }).finally(() => onEnd({ isCut: true }));
    return left;
  };
  // Its failure is told by who reads it.
  const leaveUnread = () => void leave().catch(() => {});
  signal.addEventListener("abort", leaveUnread, { once: true });
  return { next: () => inRequest(() => source.next()), leave, hasLeft: () => left !== undefined };
}
