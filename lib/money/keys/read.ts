import "server-only";

import { notFound } from "@/lib/errors";
import type { Prisma } from "@/lib/generated/prisma/client";
import { microsToUsd } from "@/lib/money/billing/money";
import type { KeyManager, MemberContext } from "@/lib/platform/auth/context";
import { isOwner } from "@/lib/platform/auth/read";
import { KnowledgeScope, QueryMode, Scope } from "@/lib/platform/auth/schema";
import { db } from "@/lib/platform/db/client";
import { toListPage } from "@/lib/platform/http/list-page";
import { EXPIRING_DAYS, type KeyStatusFilter } from "./filter";
import type { Key, KeyPage, ListKeys, Permission } from "./schema";

/** Who looks at an account's keys and presets. */
export interface Viewer {
  kind: "key" | "member";
  id: string;
  isOwner: boolean;
}

/** The current month's spend and the replaced secrets that still work, never their hashes. */
function relations() {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  return {
    createdBy: { select: { email: true } },
    createdByKey: { select: { id: true, name: true } },
    person: { select: { kind: true, reference: true } },
    spend: { where: { month }, select: { spentMicros: true } },
    secrets: {
      where: { expiresAt: { gt: now } },
      orderBy: { createdAt: "desc" },
      select: { lastFour: true, expiresAt: true, lastUsedAt: true },
    },
  } satisfies Prisma.ApiKeyInclude;
}

type KeyRow = Prisma.ApiKeyGetPayload<{ include: ReturnType<typeof relations> }>;

/** The keys that the caller may see, newest first. A key sees only those that it created. */
export async function listKeys(ctx: KeyManager, input: ListKeys): Promise<KeyPage> {
  const viewer = await viewerOf(ctx);
  const rows = await db().apiKey.findMany({
    where: {
      ...visibleTo(ctx, viewer),
      AND: selectedBy(input),
      ...(input.after && { id: { lt: input.after } }),
    },
    orderBy: { id: "desc" },
    take: input.limit + 1,
    include: relations(),
  });
  const emails = await memberEmails(rows, viewer);
  return toListPage(rows, input.limit, (row) => toKey(row, emails, viewer));
}

/** The unrevoked keys bound to vector stores that the member may see, newest first. */
export async function listBoundKeys(
  ctx: MemberContext,
): Promise<{ id: string; name: string; stores: string[] }[]> {
  return db().apiKey.findMany({
    where: {
      ...visibleTo(ctx, await viewerOf(ctx)),
      revokedAt: null,
      NOT: { stores: { isEmpty: true } },
    },
    orderBy: { id: "desc" },
    select: { id: true, name: true, stores: true },
  });
}

/** Throws not_found. */
export async function getKey(ctx: KeyManager, id: string): Promise<Key> {
  const key = await findKey(ctx, id);
  if (!key) {
    throw notFound("There is no such key. Check its id, or list the keys.");
  }
  return key;
}

/** Null if the account has no such key, or the caller may not see it. */
export async function findKey(ctx: KeyManager, id: string): Promise<Key | null> {
  const viewer = await viewerOf(ctx);
  const row = await db().apiKey.findFirst({
    where: { id, ...visibleTo(ctx, viewer) },
    include: relations(),
  });
  return row && toKey(row, await memberEmails([row], viewer), viewer);
}

/** Starts the reference of each person that a key names, so that other keys can't name the same person. */
export function issuedPersonPrefix(keyId: string): string {
  return `${keyId}/`;
}

export async function viewerOf(ctx: KeyManager): Promise<Viewer> {
  const { actor } = ctx;
  const { kind, id } = actor;
  return { kind, id, isOwner: actor.kind === "member" && (await isOwner({ ...ctx, actor })) };
}

function selectedBy({ search, mode, status }: Partial<ListKeys>): Prisma.ApiKeyWhereInput {
  return {
    ...(mode && { mode }),
    ...(search && {
      OR: [
        // Prisma doesn't escape the wildcards of LIKE.
        { name: { contains: search.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const } },
        { lastFour: search.slice(-LAST_CHARACTERS) },
      ],
    }),
    ...(status && withStatus(status)),
  };
}

/** How much of a secret's end is stored. */
const LAST_CHARACTERS = 4;
const DAY_MS = 24 * 60 * 60 * 1000;

function withStatus(status: KeyStatusFilter): Prisma.ApiKeyWhereInput {
  const now = new Date();
  const soon = new Date(now.getTime() + EXPIRING_DAYS * DAY_MS);
  const conditions: Record<KeyStatusFilter, Prisma.ApiKeyWhereInput> = {
    usable: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    expiring: { revokedAt: null, expiresAt: { gt: now, lte: soon } },
    expired: { revokedAt: null, expiresAt: { lte: now } },
    revoked: { revokedAt: { not: null } },
  };
  return conditions[status];
}

/**
 * A key that reads a member's documents is visible to that member and to owners, and so are the keys that it created. A
 * key sees only the keys that it created.
 */
function visibleTo({ account }: KeyManager, viewer: Viewer): Prisma.ApiKeyWhereInput {
  const where = { accountId: account.id, purpose: "api" };
  if (viewer.kind === "key") {
    return { ...where, createdByKeyId: viewer.id };
  }
  const ofAnother = { kind: "member", reference: { not: viewer.id } };
  return viewer.isOwner
    ? where
    : { ...where, person: { isNot: ofAnother }, createdByKey: { isNot: { person: ofAnother } } };
}

/** A key that reads a member's documents is that member's to change, because rotating it gives access to them. */
function permissionsOf(row: KeyRow, viewer: Viewer): Permission[] {
  const isCreator = (viewer.kind === "key" ? row.createdByKeyId : row.createdById) === viewer.id;
  const canChange =
    viewer.kind === "member" && row.person?.kind === "member"
      ? row.person.reference === viewer.id
      : isCreator || viewer.isOwner;
  return [
    ...(canChange ? (["change"] as const) : []),
    ...(canChange || viewer.isOwner ? (["revoke"] as const) : []),
  ];
}

/** By the ids of the members whose documents the keys read. Keys don't see them. */
async function memberEmails(rows: KeyRow[], { kind }: Viewer): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ person }) =>
    kind === "member" && person?.kind === "member" ? [person.reference] : [],
  );
  const members = ids.length
    ? await db().member.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } })
    : [];
  return new Map(members.map(({ id, email }) => [id, email]));
}

function toKey(row: KeyRow, emails: Map<string, string>, viewer: Viewer): Key {
  return {
    id: row.id,
    object: "api_key",
    name: row.name,
    mode: row.mode === "live" ? "live" : "test",
    display: `${row.prefix}…${row.lastFour}`,
    scopes: row.scopes.flatMap((scope) => Scope.safeParse(scope).data ?? []),
    knowledge_scopes: row.knowledgeScopes.flatMap(
      (scope) => KnowledgeScope.safeParse(scope).data ?? [],
    ),
    stores: row.stores.length > 0 ? row.stores : null,
    person: row.person && {
      kind: row.person.kind === "member" ? "member" : "external",
      reference:
        emails.get(row.person.reference) ??
        withoutPrefix(row.person.reference, issuedPersonPrefix(viewer.id)),
    },
    models: row.models.length > 0 ? row.models : null,
    query_mode: QueryMode.parse(row.queryMode),
    monthly_budget_usd:
      row.monthlyBudgetMicros === null ? null : microsToUsd(row.monthlyBudgetMicros),
    month_spend_usd: microsToUsd(row.spend[0]?.spentMicros ?? 0n),
    requests_per_minute: row.requestsPerMinute,
    tokens_per_minute: row.tokensPerMinute,
    status: statusOf(row),
    replaced_secrets: replacedSecrets(row),
    expires_at: isoTime(row.expiresAt),
    revoked_at: isoTime(row.revokedAt),
    last_used_at: isoTime(row.lastUsedAt),
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy?.email ?? null,
    created_by_key: row.createdByKey,
    permissions: permissionsOf(row, viewer),
  };
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** None when the key itself has expired or was revoked. */
function replacedSecrets(row: KeyRow): Key["replaced_secrets"] {
  return statusOf(row) === "usable"
    ? row.secrets.flatMap(({ lastFour, expiresAt, lastUsedAt }) =>
        expiresAt
          ? {
              display: `${row.prefix}…${lastFour}`,
              expires_at: expiresAt.toISOString(),
              last_used_at: isoTime(lastUsedAt),
            }
          : [],
      )
    : [];
}

function statusOf({ revokedAt, expiresAt }: KeyRow): Key["status"] {
  if (revokedAt) {
    return "revoked";
  }
  return expiresAt && expiresAt.getTime() <= Date.now() ? "expired" : "usable";
}

function isoTime(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
