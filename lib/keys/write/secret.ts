import "server-only";

import { hashSecret, maskKey } from "@/lib/auth/secret";
import type { Session } from "@/lib/db/client";

/** Lets a secret prove a key; only its hash is kept. */
export async function addSecret(
  tx: Session,
  { keyId, accountId, secret }: { keyId: string; accountId: string; secret: string },
): Promise<void> {
  await tx.query(
    "keys_add_secret",
    "INSERT INTO key_secret (hash, key_id, account_id, last_four) VALUES ($1, $2, $3, $4)",
    [hashSecret(secret), keyId, accountId, maskKey(secret).lastFour],
  );
}
