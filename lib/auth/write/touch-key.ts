import "server-only";

import { query } from "@/lib/db/client";
import { log } from "@/lib/log";

/** How exact "last used" is: one write a minute and key at most. */
const TOUCH_INTERVAL_MS = 60_000;

/** Marks a key and the secret it was proved with as used now; never holds up or fails the request. */
export function touchKey({ id, accountId, hash, lastUsedAt }: KeyUse): void {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < TOUCH_INTERVAL_MS) {
    return;
  }
  query(
    "auth_touch_key",
    `WITH used AS (UPDATE key_secret SET last_used_at = now() WHERE hash = $2)
     UPDATE api_key SET last_used_at = now() WHERE id = $1 AND account_id = $3`,
    [id, hash, accountId],
  ).catch((cause: unknown) => log.warn({ err: cause, key_id: id }, "last use not recorded"));
}

interface KeyUse {
  id: string;
  accountId: string;
  hash: Uint8Array;
  /** When that secret was last used before. */
  lastUsedAt: Date | null;
}
