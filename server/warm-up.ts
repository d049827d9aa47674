import "server-only";

import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { search } from "@/lib/library/retrieval/read/search";
import { getCredits } from "@/lib/money/billing/read/balance";
import type { Context } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { findKeyByHash } from "@/lib/platform/auth/read";
import { hashSecret } from "@/lib/platform/auth/secret";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { log } from "@/lib/platform/log";

/**
 * Reads a balance, looks up a key that doesn't exist and searches the public knowledge, so that no caller waits for what loads at the first
 * use: the database client, its first connections and statements, the search's dictionaries. Never throws.
 */
export async function warmUp(): Promise<void> {
  const ctx: Context = {
    account: { id: PUBLIC_ACCOUNT_ID },
    actor: { kind: "system", job: "warm-up" },
    requestId: "warm-up",
    signal: new AbortController().signal,
  };
  const query = "What do the published articles say?";
  const firstUses = await Promise.allSettled([
    asSystem(() => getCredits(ctx)),
    findKeyByHash(hashSecret("")),
    search(ctx, { query, collections: [PUBLIC_COLLECTION], topK: 8, minScore: 0 }),
  ]);
  for (const use of firstUses) {
    if (use.status === "rejected") {
      log.warn({ err: use.reason }, "warm-up failed");
    }
  }
}
