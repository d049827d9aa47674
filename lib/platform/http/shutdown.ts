import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";

const shutdown = processSingleton("shutdown", () => ({
  isDraining: false,
  inFlight: new Set<AbortController>(),
  abandoned: new Set<AbortController>(),
}));

/** Whether the process is shutting down and traffic should go elsewhere. */
export function isDraining(): boolean {
  return shutdown.isDraining;
}

export function beginDraining(): void {
  shutdown.isDraining = true;
  for (const call of shutdown.abandoned) {
    call.abort();
  }
}

/** An upstream call that nobody waits for: a server that stops ends it at once. Call the result when it ends. */
export function trackAbandoned(call: AbortController): () => void {
  shutdown.abandoned.add(call);
  return () => shutdown.abandoned.delete(call);
}

/** Call the result when the request ends. */
export function trackRequest(request: AbortController): () => void {
  shutdown.inFlight.add(request);
  return () => shutdown.inFlight.delete(request);
}

/** Aborts requests in flight after the grace period; each client gets an error. Returns how many. */
export function abortInFlight(): number {
  const requests = [...shutdown.inFlight];
  const message = "The server is shutting down and couldn't finish this request. Send it again.";
  const headers = { "retry-after": "1" };
  for (const request of requests) {
    request.abort(new AppError("service_unavailable", message, { headers }));
  }
  return requests.length;
}

/** A client that disconnects gets no status: nginx's stands for it in logs and usage records. */
export const CLIENT_DISCONNECTED = { status: 499, code: "client_closed_request" };

/** Why the server aborted the request; null when it didn't, including when the client disconnected. */
export function abortReason(signal: AbortSignal): AppError | null {
  return signal.aborted && signal.reason instanceof AppError ? signal.reason : null;
}
