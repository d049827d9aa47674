import "server-only";

import { query } from "@/lib/db/client";
import { newId } from "@/lib/id";

interface PersonIdentity {
  accountId: string;
  /** A member's id, or the caller's own reference. */
  kind: "member" | "external";
  reference: string;
}

/** Returns the person's id, creating the person on first use; concurrent requests get the same one. */
export async function ensurePerson(identity: PersonIdentity): Promise<string> {
  const { accountId, kind, reference } = identity;
  const known = await query<{ id: string }>(
    "keys_find_person",
    "SELECT id FROM person WHERE account_id = $1 AND kind = $2 AND reference = $3",
    [accountId, kind, reference],
  );
  const [person] =
    known.length > 0
      ? known
      : await query<{ id: string }>(
          "keys_insert_person",
          `INSERT INTO person (id, account_id, kind, reference) VALUES ($1, $2, $3, $4)
           ON CONFLICT (account_id, kind, reference) DO UPDATE SET reference = excluded.reference
           RETURNING id`,
          [newId("person"), accountId, kind, reference],
        );
  if (!person) {
    throw new Error("a person was neither found nor created");
  }
  return person.id;
}
