import "server-only";

import { newId } from "@/lib/id";
import type { Context } from "@/lib/platform/auth/context";
import { type Query, query } from "@/lib/platform/db/client";

/**
 * Returns the person's id, creating the person on first use; concurrent requests get the same one. `reference`: a
 * member's id, or the caller's own. `run`: within a transaction.
 */
export async function ensurePerson(
  { account }: Pick<Context, "account">,
  { kind, reference }: { kind: "member" | "external"; reference: string },
  run: Query = query,
): Promise<string> {
  const [known] = await run<{ id: string }>(
    "keys_find_person",
    "SELECT id FROM person WHERE account_id = $1 AND kind = $2 AND reference = $3",
    [account.id, kind, reference],
  );
  if (known) {
    return known.id;
  }
  const [made] = await run<{ id: string }>(
    "keys_insert_person",
    `INSERT INTO person (id, account_id, kind, reference) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, kind, reference) DO UPDATE SET reference = excluded.reference
     RETURNING id`,
    [newId("person"), account.id, kind, reference],
  );
  if (!made) {
    throw new Error("a person was neither found nor created");
  }
  return made.id;
}
