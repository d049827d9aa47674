import "server-only";

import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { query, queryWithin } from "@/lib/db/client";
import { processSingleton } from "@/lib/singleton";
import type { KeyActor, MemberActor } from "./context";
import { KnowledgeScope, Scope } from "./schema";

export interface FoundKey {
  accountId: string;
  actor: KeyActor;
  revokedAt: Date | null;
  /** The end of the key or of the secret it was found by, whichever comes first. */
  expiresAt: Date | null;
  /** When that secret was last used. */
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

const keyLookups = processSingleton(
  "key lookups",
  () => new Batcher<Uint8Array, FoundKey | null>((_batch, hashes) => findKeysByHash(hashes)),
);

/**
 * The key a secret of this hash proves, revoked and expired ones too; one look-up by the hash, never cached.
 * Requests that arrive while such a statement is in flight share the next one, which begins after them.
 */
export function findKeyByHash(hash: Uint8Array): Promise<FoundKey | null> {
  return keyLookups.run("keys", hash);
}

async function findKeysByHash(hashes: readonly Uint8Array[]): Promise<(FoundKey | null)[]> {
  const rows = await queryWithin<KeyRow & { place: number }>(
    BATCH_TIMEOUT_MS,
    "auth_keys_by_hash",
    `SELECT w.place::int4, k.id, k.account_id, k.person_id, k.mode, k.scopes, k.knowledge_scopes, k.models,
            k.requests_per_minute, k.tokens_per_minute, k.revoked_at,
            least(k.expires_at, s.expires_at) AS expires_at, s.last_used_at
       FROM unnest($1::text[]) WITH ORDINALITY w(hash, place)
       JOIN key_secret s ON s.hash = decode(w.hash, 'hex')
       JOIN api_key k ON k.id = s.key_id AND k.account_id = s.account_id AND k.purpose = 'api'`,
    [hashes.map((hash) => Buffer.from(hash).toString("hex"))],
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return hashes.map((_hash, index) => {
    const row = found.get(index + 1);
    return row ? toFoundKey(row) : null;
  });
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

/** A session with its member and the account they act for. */
export interface FoundSession {
  accountId: string;
  actor: MemberActor & { sessionId: string };
  lastSeenAt: Date;
}

interface SessionRow extends Record<string, unknown> {
  id: string;
  account_id: string;
  email: string;
  name: string | null;
  last_seen_at: Date;
}

/** The session a cookie names; null when it has ended, is over, or its member is gone. Never cached. */
export async function findSession(named: {
  id: string;
  memberId: string;
}): Promise<FoundSession | null> {
  const [row] = await query<SessionRow>(
    "auth_session",
    `SELECT m.id, m.account_id, m.email, m.name, s.last_seen_at
       FROM member_session s JOIN member m ON m.id = s.member_id
      WHERE s.id = $1 AND s.member_id = $2 AND s.expires_at > now()`,
    [named.id, named.memberId],
  );
  return row
    ? {
        accountId: row.account_id,
        actor: {
          kind: "member",
          id: row.id,
          email: row.email,
          name: row.name,
          sessionId: named.id,
        },
        lastSeenAt: row.last_seen_at,
      }
    : null;
}
