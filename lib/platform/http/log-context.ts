import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/singleton";

/** Fields for the request's one log line, added as it is processed. Ids, names and numbers, never text. */
export interface LogContext {
  /** Of the API key, as soon as it is known: also when its request is then rejected. */
  account_id?: string;
  key_id?: string;
  /** The catalogue's id, once the key is known to allow it. */
  model?: string | null;
  /** Set once a usage record is written. */
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
  /** Including retries, fallbacks and embeddings. */
  upstream_attempts?: number;
}

const store = processSingleton("log context", () => new AsyncLocalStorage<LogContext>());

export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return store.run(fields, work);
}

/** Does nothing outside a request. */
export function addLogField(added: LogContext): void {
  Object.assign(store.getStore() ?? {}, added);
}

export function countUpstreamAttempt(): void {
  addLogField({ upstream_attempts: (store.getStore()?.upstream_attempts ?? 0) + 1 });
}
