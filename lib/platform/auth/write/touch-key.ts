import "server-only";

import { query } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import type { FoundKey } from "../read";

/** Precision of "last used": at most one write per key in this time. */
const TOUCH_INTERVAL_MS = 60_000;

/** Records the use of a key and its secret. Doesn't delay or fail the request. */
export function touchKey(found: FoundKey, hash: Uint8Array): void {
  const { actor, accountId, lastUsedAt } = found;
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < TOUCH_INTERVAL_MS) {
    return;
  }
  found.lastUsedAt = new Date();
  query(
    "auth_touch_key",
    `WITH used AS (UPDATE key_secret SET last_used_at = now() WHERE hash = $2)
     UPDATE api_key SET last_used_at = now() WHERE id = $1 AND account_id = $3`,
    [actor.id, hash, accountId],
  ).catch((cause: unknown) =>
    log.warn({ err: cause, key_id: actor.id }, "recording the last use of a key failed"),
  );
}
