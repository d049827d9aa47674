import "server-only";

import { query } from "@/lib/db/client";
import { newId } from "@/lib/id";

/** Whom personal documents are tied to within an account. */
interface PersonIdentity {
  accountId: string;
  /** A member by id, or a reference of the caller's own. */
  kind: "member" | "external";
  reference: string;
}

/** The id of a person, who is made when first named. Requests that name one at once all get the same. */
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
    throw new Error("a person was neither found nor made");
  }
  return person.id;
}
