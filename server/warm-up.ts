import "server-only";

import { RulesJudge } from "@/lib/evidence/verdict/rules-judge";
import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { type SearchOutcome, search } from "@/lib/library/retrieval/read/search";
import { getCredits } from "@/lib/money/billing/read/balance";
import type { Context } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { findKeyByHash } from "@/lib/platform/auth/read";
import { hashSecret } from "@/lib/platform/auth/secret";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { log } from "@/lib/platform/log";

/** About the length of a claim. */
const CLAIM_LENGTH = 200;

/**
 * Reads a balance, looks up a key that doesn't exist, searches the public knowledge and judges what it finds, so that no caller waits for
 * what the first use costs: the database client, its first connections and statements, the search's dictionaries, code that isn't
 * compiled yet. Never throws.
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
    search(ctx, { query, collections: [PUBLIC_COLLECTION], topK: 8, minScore: 0 }).then(judgeAll),
  ]);
  for (const use of firstUses) {
    if (use.status === "rejected") {
      log.warn({ err: use.reason }, "warm-up failed");
    }
  }
}

async function judgeAll({ passages }: SearchOutcome): Promise<void> {
  const judge = new RulesJudge(passages.map(({ text, title }) => ({ text, label: title })));
  const ids = passages.map((_, index) => index + 1);
  for (const { text } of passages) {
    await judge.judge({ text: text.slice(0, CLAIM_LENGTH), ids });
  }
}
