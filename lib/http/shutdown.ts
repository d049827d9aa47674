import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";

interface Shutdown {
  isDraining: boolean;
  /** What ends each request that is at work. */
  atWork: Set<AbortController>;
}

const shutdown = processSingleton(
  "shutdown",
  (): Shutdown => ({ isDraining: false, atWork: new Set() }),
);

/** Whether the process is about to stop: traffic should go elsewhere. */
export function isDraining(): boolean {
  return shutdown.isDraining;
}

export function beginDraining(): void {
  shutdown.isDraining = true;
}

/** Notes a request until the answer is called. */
export function trackRequest(request: AbortController): () => void {
  shutdown.atWork.add(request);
  return () => shutdown.atWork.delete(request);
}

/** Ends what is still at work, when its grace is over; each says so to its client. Returns how many. */
export function abortInFlight(): number {
  const cut = [...shutdown.atWork];
  for (const request of cut) {
    request.abort(
      new AppError(
        "service_unavailable",
        "The server is being stopped and could not finish this request. Send it again.",
        { headers: { "retry-after": "1" } },
      ),
    );
  }
  return cut.length;
}

/** Why the server itself ended a request; null when it goes on, and when its client has hung up. */
export function abortReason(signal: AbortSignal): AppError | null {
  return signal.aborted && signal.reason instanceof AppError ? signal.reason : null;
}
