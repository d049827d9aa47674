import { AppError } from "@/lib/errors";
import { PACKS, type Pack } from "@/lib/pack-names";
import type { Context, KeyContext, MemberActor, MemberContext } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { env } from "@/lib/platform/env";

/** A searchable set of documents and its owner. Both follow from the id, so that access needs no lookup. */
export interface Collection {
  id: string;
  scope: KnowledgeScope;
  accountId: string;
  personId: string | null;
}

/** The packs of vocabulary that apply to a collection's documents. */
export function packsOf(scope: KnowledgeScope): Pack[] {
  const declared = env.KNOWLEDGE_PACKS.split(",");
  return PACKS.filter((pack) => declared.includes(`${scope}=${pack}`));
}

/** The primary key of a collection. */
export type CollectionKey = Pick<Collection, "id" | "accountId">;

export const PUBLIC_COLLECTION: Collection = {
  id: "public_kb",
  scope: "public_kb",
  accountId: PUBLIC_ACCOUNT_ID,
  personId: null,
};

/** `personId` is null until the member has stored something personal. */
interface ReadingMember extends MemberActor {
  personId: string | null;
}

/** Who may read documents: a key, or a member from `toReaderContext`. */
export type Reader = KeyContext | Context<ReadingMember>;

/** The collections the caller may read: a key's knowledge scopes, or all of a member's. */
export function readableCollections(ctx: Context): Collection[] {
  const { actor } = ctx;
  const scopes: readonly KnowledgeScope[] =
    actor.kind === "key" ? actor.knowledgeScopes : KnowledgeScope.options;
  return scopes.flatMap((scope) => collectionOf(ctx, scope) ?? []);
}

/** Every read of a document is bound to these collections. */
export function readableIds(ctx: Reader): string[] {
  return readableCollections(ctx).map(({ id }) => id);
}

/** The readable collections except the public one. */
export function writableIds(ctx: Reader): string[] {
  return readableIds(ctx).filter((id) => id !== PUBLIC_COLLECTION.id);
}

/** The collections that a request names by scope, by default all. Throws insufficient_scope. */
export function requestedCollections(
  ctx: Context,
  scopes: readonly string[] | undefined,
  param: string,
): Collection[] {
  const allowed = readableCollections(ctx);
  if (allowed.length === 0) {
    throw new AppError(
      "insufficient_scope",
      "This key can't read any knowledge base. Create a key with a knowledge scope on the API keys page.",
      { param },
    );
  }
  if (scopes?.length === 0) {
    throw new AppError(
      "insufficient_scope",
      `'${param}' is empty, so there is nothing to search. Name a knowledge scope or leave the field out.`,
      { param },
    );
  }
  return scopes ? [...new Set(scopes)].map((scope) => pick(allowed, scope, param)) : allowed;
}

/** The collection the caller uploads to. Throws insufficient_scope, also for the public one. */
export function writableCollection(ctx: Context, scope: string): Collection {
  if (scope === PUBLIC_COLLECTION.scope) {
    throw new AppError(
      "insufficient_scope",
      "public_kb is curated by the operator and cannot be written through the API. Upload to customer_kb or personal_kb.",
      { param: "scope" },
    );
  }
  return pick(readableCollections(ctx), scope, "scope");
}

/** The scope that uploads go to which don't name one. A key writes to one; throws insufficient_scope if to none. */
export function writableScope(ctx: KeyContext): KnowledgeScope {
  requireWritableCollection(ctx);
  const writable = readableCollections(ctx).find(({ id }) => id !== PUBLIC_COLLECTION.id);
  return writable?.scope ?? "customer_kb";
}

/** Throws insufficient_scope if the key can't upload to any collection. Members can. */
export function requireWritableCollection(ctx: KeyContext | MemberContext): void {
  const canWrite = readableCollections(ctx).some(({ id }) => id !== PUBLIC_COLLECTION.id);
  if (ctx.actor.kind === "key" && !canWrite) {
    throw new AppError(
      "insufficient_scope",
      "This key can't write to any knowledge base. Create one with customer_kb or personal_kb on the API keys page.",
      { param: "scope" },
    );
  }
}

function pick(allowed: readonly Collection[], scope: string, param: string): Collection {
  const found = allowed.find((collection) => collection.scope === scope);
  if (!found) {
    const isKnown = KnowledgeScope.safeParse(scope).success;
    throw new AppError(
      "insufficient_scope",
      `${isKnown ? `This key can't use the knowledge scope ${scope}` : "There is no such knowledge scope"}. Use one of: ${allowed.map((collection) => collection.scope).join(", ") || "none"}.`,
      { param },
    );
  }
  return found;
}

function collectionOf({ account, actor }: Context, scope: KnowledgeScope): Collection | null {
  switch (scope) {
    case "public_kb":
      return PUBLIC_COLLECTION;
    case "customer_kb":
      return { id: `customer_kb:${account.id}`, scope, accountId: account.id, personId: null };
    case "personal_kb": {
      const personId = personOf(actor);
      return personId
        ? { id: `personal_kb:${personId}`, scope, accountId: account.id, personId }
        : null;
    }
  }
}

function personOf(actor: Context["actor"] | ReadingMember): string | null {
  return "personId" in actor ? actor.personId : null;
}
