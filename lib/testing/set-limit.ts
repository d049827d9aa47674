import { onTestFinished } from "vitest";
import { env } from "@/lib/platform/env";

type Limit =
  | "ACCOUNT_REQUESTS_PER_MINUTE"
  | "ACCOUNT_TOKENS_PER_MINUTE"
  | "EMBEDDING_MAX_TOKENS"
  | "HOLD_LEASE_SECONDS"
  | "MAX_OPEN_UPLOADS_PER_ACCOUNT"
  | "MAX_OPEN_UPLOAD_BYTES_PER_ACCOUNT"
  | "MAX_ORIGINAL_BYTES_PER_ACCOUNT"
  | "MAX_STORED_ANSWER_BYTES"
  | "MAX_STORED_BYTES_PER_ACCOUNT"
  | "RERANK_TIMEOUT_MS"
  | "RETRIEVAL_DEADLINE_MS";

/** Changes a limit until the test ends. */
export function setLimit(name: Limit, limit: number): void {
  const before = env[name];
  Object.assign(env, { [name]: limit });
  onTestFinished(() => {
    Object.assign(env, { [name]: before });
  });
}
