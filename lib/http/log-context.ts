import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/singleton";

/** What is learnt of a request while it is answered, for its one log line. Ids, names and figures, never text. */
export interface LogContext {
  /** Of the catalogue, once the key was found to have it. */
  model?: string | null;
  kind?: string;
  is_stream?: boolean;
  prompt_tokens?: number;
  completion_tokens?: number;
  cost_micros?: number;
  first_token_ms?: number | null;
  /** Null when retrieval did not run. */
  passages?: number | null;
  warnings?: readonly string[];
  retrieval_ms?: number;
  /** How often an upstream was asked, retries, fallbacks and embeddings included. */
  upstream_attempts?: number;
}

const store = processSingleton("log context", () => new AsyncLocalStorage<LogContext>());

/** Runs `work`, and all that comes of it, as part of the request that the notes are of. */
export function withLogContext<T>(notes: LogContext, work: () => T): T {
  return store.run(notes, work);
}

/** Notes something of the request this is part of; outside any, nothing. */
export function addLogField(facts: LogContext): void {
  const notes = store.getStore();
  if (notes) {
    Object.assign(notes, facts);
  }
}

export function countUpstreamAttempt(): void {
  const notes = store.getStore();
  if (notes) {
    notes.upstream_attempts = (notes.upstream_attempts ?? 0) + 1;
  }
}
