import "server-only";
import { AppError, insufficientScope } from "@/lib/errors";
import { listEvents } from "@/lib/platform/audit/read";
import type { EventPage, ListEvents } from "@/lib/platform/audit/schema";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/platform/db/batcher";
import { db, query, queryWithin } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { canMail } from "@/lib/platform/mail";
import { processSingleton } from "@/lib/singleton";
import type { KeyActor, MemberActor, MemberContext } from "./context";
import { KNOWLEDGE_SCOPES, Role, SCOPES } from "./schema";
import type { SessionClaim } from "./session";
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

/** Its scopes may include some that this version doesn't know. */
type KeyRow = Omit<FoundKey, "actor"> & Omit<KeyActor, "kind">;

const keyLookups = processSingleton(
  "key lookups",
  () => new Batcher<Uint8Array, FoundKey | null>((_batch, hashes) => findKeysByHash(hashes)),
);

/** Never cached; includes revoked and expired keys. Lookups are batched. */
export function findKeyByHash(hash: Uint8Array): Promise<FoundKey | null> {
  return keyLookups.run("keys", hash);
}

const KEY_COLUMNS = `k.id, k.account_id AS "accountId", k.person_id AS "personId", k.mode, k.scopes,
            k.knowledge_scopes AS "knowledgeScopes", k.stores, k.models, k.query_mode AS "queryMode",
            k.requests_per_minute AS "requestsPerMinute", k.tokens_per_minute AS "tokensPerMinute", k.revoked_at AS "revokedAt"`;

async function findKeysByHash(hashes: readonly Uint8Array[]): Promise<(FoundKey | null)[]> {
  const rows = await queryWithin<KeyRow & { place: number }>(
    BATCH_TIMEOUT_MS,
    "auth_keys_by_hash",
    `SELECT w.place::int4, ${KEY_COLUMNS},
            least(k.expires_at, s.expires_at) AS "expiresAt", s.last_used_at AS "lastUsedAt"
       FROM unnest($1::text[]) WITH ORDINALITY w(hash, place)
       JOIN key_secret s ON s.hash = decode(w.hash, 'hex')
       JOIN api_key k ON k.id = s.key_id AND k.account_id = s.account_id AND k.purpose = 'api'`,
    [hashes.map((hash) => Buffer.from(hash).toString("hex"))],
  );
  const found = new Map(rows.map(({ place, ...row }) => [place, toFoundKey(row)]));
  return hashes.map((_hash, index) => found.get(index + 1) ?? null);
}

/** A key as the actor of work that its request left behind. Whether it is still valid is for holds to decide. */
export async function findKeyActor(accountId: string, id: string): Promise<KeyActor | null> {
  const [row] = await query<KeyRow>(
    "auth_key_by_id",
    `SELECT ${KEY_COLUMNS}, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"
       FROM api_key k WHERE k.id = $2 AND k.account_id = $1`,
    [accountId, id],
  );
  return row ? toFoundKey(row).actor : null;
}

/** A key that requests could use now, by its id. Null if it doesn't exist, was revoked or has expired. */
export async function findUsableKey(
  id: string,
): Promise<Pick<FoundKey, "accountId" | "actor"> | null> {
  const [row] = await query<KeyRow>(
    "auth_usable_key_by_id",
    `SELECT ${KEY_COLUMNS}, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"
       FROM api_key k
      WHERE k.id = $1 AND k.purpose = 'api' AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    [id],
  );
  return row ? toFoundKey(row) : null;
}

function toFoundKey(row: KeyRow): FoundKey {
  const { accountId, revokedAt, expiresAt, lastUsedAt, ...key } = row;
  const scopes = key.scopes.filter((scope) => SCOPES.includes(scope));
  const knowledgeScopes = key.knowledgeScopes.filter((scope) => KNOWLEDGE_SCOPES.includes(scope));
  const actor: KeyActor = { kind: "key", ...key, scopes, knowledgeScopes };
  return { accountId, actor, revokedAt, expiresAt, lastUsedAt };
}

export interface FoundSession {
  accountId: string;
  actor: MemberActor & { sessionId: string };
  lastSeenAt: Date;
}

/** Null when the session has ended or expired, or its member was removed. Never cached. */
export async function findSession(claim: SessionClaim): Promise<FoundSession | null> {
  const [row] = await query<SessionRow>(
    "auth_session",
    `SELECT m.id, m.account_id AS "accountId", m.email, m.name, s.last_seen_at AS "lastSeenAt"
       FROM member_session s JOIN member m ON m.id = s.member_id
      WHERE s.id = $1 AND s.member_id = $2 AND s.expires_at > now()`,
    [claim.id, claim.memberId],
  );
  if (!row) {
    return null;
  }
  const { accountId, lastSeenAt, ...member } = row;
  return { accountId, actor: { kind: "member", ...member, sessionId: claim.id }, lastSeenAt };
}

type SessionRow = Omit<FoundSession, "actor"> & Pick<MemberActor, "id" | "email" | "name">;

/** `members`: their current roles, not those from when the session started. */
export function requireOwner(
  { actor }: MemberContext,
  members: readonly { id: string; role: Role }[],
): void {
  if (members.find(({ id }) => id === actor.id)?.role !== "owner") {
    throw insufficientScope("Only an owner of the account can do this. Ask an owner.");
  }
}

const PERSON = { id: true, email: true, name: true, role: true } as const;

/** More members than anyone would read in a list. */
const MAX_ROWS = 1000;

/** Throws missing_session when the member was removed. */
export async function getSettings(ctx: MemberContext): Promise<Settings> {
  const member = await findSelf(ctx);
  if (!member) {
    throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
  }
  const { id, email, name, passwordHash } = member;
  const role = Role.parse(member.role);
  const { members, invitations, sharingEnabled, keepOriginals, ...account } = member.account;
  return {
    object: "settings",
    profile: { id, email, name, role, has_password: passwordHash !== null },
    account: {
      ...account,
      is_sharing_enabled: sharingEnabled,
      keep_originals: keepOriginals,
      can_keep_originals: env.KEEP_ORIGINALS,
    },
    sessions: member.sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      id,
      user_agent: userAgent,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      is_current: id === ctx.actor.sessionId,
    })),
    members: members.map(({ createdAt, ...row }) => ({
      ...row,
      role: Role.parse(row.role),
      created_at: createdAt.toISOString(),
    })),
    invitations:
      role === "owner"
        ? invitations.map(({ expiresAt, ...row }) => ({
            ...row,
            role: Role.parse(row.role),
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
      ...PERSON,
      passwordHash: true,
      account: {
        select: {
          id: true,
          name: true,
          sharingEnabled: true,
          keepOriginals: true,
          members: {
            orderBy: { id: "asc" },
            take: MAX_ROWS,
            select: { ...PERSON, createdAt: true },
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
  const role = await findOwnRole(ctx);
  requireOwner(ctx, role ? [{ id: ctx.actor.id, role }] : []);
  return listEvents(ctx, input);
}

export async function isOwner(ctx: MemberContext): Promise<boolean> {
  return (await findOwnRole(ctx)) === "owner";
}

/** Members of the account as actors, by id; those who left are missing. */
export async function findMembers(
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, MemberContext["actor"]>> {
  const rows = await query<Omit<MemberContext["actor"], "kind">>(
    "auth_find_members",
    "SELECT id, email, name FROM member WHERE account_id = $1 AND id = ANY ($2)",
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, { kind: "member", ...row }]));
}

/** Throws when there is no such account: its rows elsewhere would be gone too. */
export async function getAccountName(id: string): Promise<string> {
  const account = await db().account.findFirstOrThrow({ where: { id }, select: { name: true } });
  return account.name;
}

/** Whether an account's members may share by link. */
export async function isSharingEnabled(accountId: string): Promise<boolean> {
  const rows = await query(
    "auth_is_sharing_enabled",
    "SELECT FROM account WHERE id = $1 AND sharing_enabled AND closed_at IS NULL",
    [accountId],
  );
  return rows.length > 0;
}

/** Whether the member still has to open the link in the mail; never on a server that can't send any. */
export async function needsConfirmation({ account, actor }: MemberContext): Promise<boolean> {
  if (!canMail()) {
    return false;
  }
  const unconfirmed = await query(
    "auth_unconfirmed",
    "SELECT id FROM member WHERE id = $1 AND account_id = $2 AND email_confirmed_at IS NULL",
    [actor.id, account.id],
  );
  return unconfirmed.length > 0;
}

/** The member's current role, not the one from when the session started; null once they are removed. */
export async function findOwnRole({ account, actor }: MemberContext): Promise<Role | null> {
  const [self] = await query<{ role: Role }>(
    "auth_own_role",
    "SELECT role FROM member WHERE id = $1 AND account_id = $2",
    [actor.id, account.id],
  );
  return self?.role ?? null;
}

/** Whether an account wants the files of its documents stored. */
export async function keepsOriginals(accountId: string): Promise<boolean> {
  const account = await db().account.findFirst({
    where: { id: accountId },
    select: { keepOriginals: true },
  });
  return account?.keepOriginals ?? false;
}

export async function findAccountsWithoutOriginals(): Promise<string[]> {
  const accounts = await db().account.findMany({
    where: { keepOriginals: false },
    select: { id: true },
  });
  return accounts.map(({ id }) => id);
}
