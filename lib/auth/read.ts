import "server-only";

import { db, query } from "@/lib/db";
import type { KeyActor, MemberActor } from "./context";
import { KnowledgeScope, Scope } from "./schema";

export interface FoundKey {
  accountId: string;
  actor: KeyActor;
  revokedAt: Date | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

interface KeyRow extends Record<string, unknown> {
  id: string;
  account_id: string;
  person_id: string | null;
  mode: "live" | "test";
  scopes: string[];
  knowledge_scopes: string[];
  models: string[];
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  revoked_at: Date | null;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** The key with this hash, revoked and expired ones too; one look-up by the unique index, never cached. */
export async function findKeyByHash(hash: Uint8Array): Promise<FoundKey | null> {
  const [row] = await query<KeyRow>(
    "auth_key_by_hash",
    `SELECT id, account_id, person_id, mode, scopes, knowledge_scopes, models, requests_per_minute,
            tokens_per_minute, revoked_at, expires_at, last_used_at
       FROM api_key WHERE hash = $1`,
    [hash],
  );
  return row ? toFoundKey(row) : null;
}

function toFoundKey(row: KeyRow): FoundKey {
  return {
    accountId: row.account_id,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    actor: {
      kind: "key",
      id: row.id,
      mode: row.mode,
      // A scope this version does not know grants nothing.
      scopes: row.scopes.filter((scope) => Scope.safeParse(scope).success) as Scope[],
      knowledgeScopes: row.knowledge_scopes.filter(
        (scope) => KnowledgeScope.safeParse(scope).success,
      ) as KnowledgeScope[],
      models: row.models,
      personId: row.person_id,
      requestsPerMinute: row.requests_per_minute,
      tokensPerMinute: row.tokens_per_minute,
    },
  };
}

/** The member of a session and the account they act for; null when either is gone. */
export async function findMember(
  id: string,
): Promise<{ accountId: string; actor: MemberActor } | null> {
  const member = await db().member.findUnique({
    where: { id },
    select: { id: true, accountId: true, email: true, name: true },
  });
  return member
    ? {
        accountId: member.accountId,
        actor: { kind: "member", id: member.id, email: member.email, name: member.name },
      }
    : null;
}
