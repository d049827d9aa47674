import "server-only";
import { listEvents } from "@/lib/audit/read";
import type { EventPage, ListEvents } from "@/lib/audit/schema";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { db, query, queryWithin } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";
import type { KeyActor, MemberActor, MemberContext } from "./context";
import { KnowledgeScope, Role, Scope } from "./schema";
import type { Settings } from "./settings-schema";

export interface FoundKey {
  accountId: string;
  actor: KeyActor;
  revokedAt: Date | null;
  /** When the key or the secret expires, whichever comes first. */
  expiresAt: Date | null;
  /** When the secret was last used. */
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

/** Never cached, so that revocation takes effect at once; includes revoked and expired keys. Lookups are batched. */
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
      // Ignore scopes that this version doesn't know.
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

/** Null when the session has ended or expired, or its member was removed. Never cached. */
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

/** `members`: their current roles, not those from when the session started. */
export function requireOwner(
  { actor }: MemberContext,
  members: readonly { id: string; role: Role }[],
): void {
  if (members.find(({ id }) => id === actor.id)?.role !== "owner") {
    throw new AppError(
      "insufficient_scope",
      "Only an owner of the account can do this. Ask an owner.",
    );
  }
}

/** More members than anyone would read in a list. */
const MAX_ROWS = 1000;

/** Throws missing_session when the member was removed. */
export async function getSettings(ctx: MemberContext): Promise<Settings> {
  const member = await findSelf(ctx);
  const members = member?.account.members.map(({ createdAt, role, ...row }) => ({
    ...row,
    role: Role.parse(role),
    created_at: createdAt.toISOString(),
  }));
  const self = members?.find(({ id }) => id === ctx.actor.id);
  if (!member || !members || !self) {
    throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
  }
  const { created_at: _, ...profile } = self;
  const { invitations, ...account } = member.account;
  return {
    object: "settings",
    profile: { ...profile, has_password: member.passwordHash !== null },
    account: { id: account.id, name: account.name },
    sessions: member.sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      id,
      user_agent: userAgent,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      is_current: id === ctx.actor.sessionId,
    })),
    members,
    invitations:
      self.role === "owner"
        ? invitations.map(({ id, email, role, expiresAt }) => ({
            id,
            email,
            role: Role.parse(role),
            expires_at: expiresAt.toISOString(),
          }))
        : [],
  };
}

function findSelf({ account, actor }: MemberContext) {
  const isOpen = { expiresAt: { gt: new Date() } };
  return db().member.findFirst({
    where: { id: actor.id, accountId: account.id },
    select: {
      passwordHash: true,
      account: {
        select: {
          id: true,
          name: true,
          members: {
            orderBy: { id: "asc" },
            take: MAX_ROWS,
            select: { id: true, email: true, name: true, role: true, createdAt: true },
          },
          invitations: {
            where: isOpen,
            orderBy: { createdAt: "desc" },
            take: MAX_ROWS,
            select: { id: true, email: true, role: true, expiresAt: true },
          },
        },
      },
      sessions: {
        where: isOpen,
        orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
        take: MAX_ROWS,
        select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
      },
    },
  });
}

/** The account's audit events, newest first. Throws insufficient_scope unless the member is an owner. */
export async function listActivity(ctx: MemberContext, input: ListEvents): Promise<EventPage> {
  const self = await query<{ id: string; role: Role }>(
    "auth_own_role",
    "SELECT id, role FROM member WHERE id = $1 AND account_id = $2",
    [ctx.actor.id, ctx.account.id],
  );
  requireOwner(ctx, self);
  return listEvents(ctx, input);
}
