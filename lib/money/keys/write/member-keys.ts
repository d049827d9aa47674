import "server-only";

import { type EventAuthor, recordEvent } from "@/lib/platform/audit/write";
import type { KeyName } from "@/lib/platform/auth/settings-schema";
import type { Session } from "@/lib/platform/db/client";

type NamedKey = Record<"id" | "name" | "prefix" | "last_four", string>;

/** Revokes the keys that read the member's documents, with `isAll` also those the member created, and all keys that these created. */
export async function revokeMemberKeys(
  tx: Session,
  author: EventAuthor,
  { memberId, isAll }: { memberId: string; isAll: boolean },
): Promise<KeyName[]> {
  const revoked = await tx.query<NamedKey>(
    "keys_revoke_of_member",
    `UPDATE api_key k SET revoked_at = now()
      WHERE k.account_id = $1 AND k.purpose = 'api' AND k.revoked_at IS NULL
        AND (($3 AND k.created_by_id = $2)
             OR k.person_id = (SELECT p.id FROM person p
                                WHERE p.account_id = $1 AND p.kind = 'member' AND p.reference = $2))
      RETURNING k.id, k.name, k.prefix, k.last_four`,
    [author.account.id, memberId, isAll],
  );
  await recordRevoked(tx, author, revoked);
  const ids = revoked.map(({ id }) => id);
  return [...revoked, ...(await revokeIssuedKeys(tx, author, ids))].map(toKeyName);
}

/**
 * Revokes what revoked keys created. Runs after their own statement, which waits for keys that they are creating, to see
 * those too.
 */
export async function revokeIssuedKeys(
  tx: Session,
  author: EventAuthor,
  creators: string[],
): Promise<NamedKey[]> {
  const revoked = await tx.query<NamedKey>(
    "keys_revoke_issued",
    `UPDATE api_key k SET revoked_at = now()
      WHERE k.account_id = $1 AND k.created_by_key_id = ANY($2) AND k.revoked_at IS NULL
      RETURNING k.id, k.name, k.prefix, k.last_four`,
    [author.account.id, creators],
  );
  await recordRevoked(tx, author, revoked);
  return revoked;
}

async function recordRevoked(tx: Session, author: EventAuthor, keys: NamedKey[]): Promise<void> {
  for (const { id, name } of keys) {
    await recordEvent(tx, author, { action: "key.revoked", target: { id, name } });
  }
}

/** The keys the member created that still work. */
export async function listCreatedKeys(
  tx: Session,
  accountId: string,
  memberId: string,
): Promise<KeyName[]> {
  const rows = await tx.query<NamedKey>(
    "keys_created_by",
    `SELECT id, name, prefix, last_four FROM api_key
      WHERE account_id = $1 AND created_by_id = $2 AND purpose = 'api' AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id DESC`,
    [accountId, memberId],
  );
  return rows.map(toKeyName);
}

function toKeyName({ id, name, prefix, last_four }: NamedKey): KeyName {
  return { id, name, display: `${prefix}…${last_four}` };
}
