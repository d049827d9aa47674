import { insufficientScope } from "@/lib/errors";
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

/**
 * The collections the caller may read: a key's knowledge scopes, or all of a member's. Where a key is bound to stores, the
 * caller may read only the documents in them.
 */
export function readableCollections(ctx: Context): Collection[] {
  const { actor } = ctx;
  const scopes: readonly KnowledgeScope[] =
    actor.kind === "key" ? actor.knowledgeScopes : KnowledgeScope.options;
  const bound = boundTo(ctx);
  const hasOwn = bound?.some(isOwnStore);
  return scopes
    .flatMap((scope) => collectionOf(ctx, scope) ?? [])
    .filter(({ id }) => isWhole(id, bound) || (hasOwn && id !== PUBLIC_COLLECTION.id));
}

/** The ids of the stores that a key is bound to; of knowledge bases, the collections' ids. Null if it isn't bound. */
export function boundTo(ctx: Context): string[] | null {
  const { actor } = ctx;
  const stores = actor.kind === "key" ? actor.stores : null;
  return (
    stores?.map((store) => {
      const scope = KnowledgeScope.safeParse(store).data;
      return (scope && collectionOf(ctx, scope)?.id) ?? store;
    }) ?? null
  );
}

/** Whether all documents of a collection exist for a key that is bound to `bound`. */
export function isWhole(collectionId: string, bound: readonly string[] | null): boolean {
  return bound === null || bound.includes(collectionId);
}

function isOwnStore(id: string): boolean {
  return id.startsWith("vs_");
}

/**
 * Which documents a caller may read or write: those of the collections, and if `bound` isn't null, only those in one of its
 * stores or collections. Its members are the parameters of `accessCondition`, which every statement on documents has.
 */
export type DocumentAccess = readonly [
  collectionIds: readonly string[],
  bound: readonly string[] | null,
];

export function readableDocuments(ctx: Reader): DocumentAccess {
  return [readableCollections(ctx).map(({ id }) => id), boundTo(ctx)];
}

/** The readable documents except the public ones. */
export function writableDocuments(ctx: Reader): DocumentAccess {
  const [ids, bound] = readableDocuments(ctx);
  return [ids.filter((id) => id !== PUBLIC_COLLECTION.id), bound];
}

/**
 * The store that new documents of a collection go into, so that the key which uploads them may read them; null if any of
 * the collection's documents may. Throws insufficient_scope for a key that is bound to several stores.
 */
export function uploadStore(ctx: Context, collection: Collection): string | null {
  const bound = boundTo(ctx);
  if (isWhole(collection.id, bound)) {
    return null;
  }
  const [store, ...others] = bound?.filter(isOwnStore) ?? [];
  if (!store || others.length > 0) {
    throw insufficientScope(
      "This key is bound to several vector stores, so it isn't known which one a new document belongs to. Upload with a key that is bound to one.",
    );
  }
  return store;
}

/** Throws insufficient_scope for a key that may only read some stores of the collection. */
export function requireWhole(ctx: Context, collection: Collection): void {
  if (!isWhole(collection.id, boundTo(ctx))) {
    throw insufficientScope(
      "This key is bound to vector stores, so it can't create others. Use a key that isn't.",
    );
  }
}

/** The collections that a request names by scope, by default all. Throws insufficient_scope. */
export function requestedCollections(
  ctx: Context,
  scopes: readonly string[] | undefined,
  param: string,
): Collection[] {
  const allowed = readableCollections(ctx);
  if (allowed.length === 0) {
    throw insufficientScope(
      "This key can't read any knowledge base. Create a key with a knowledge scope on the API keys page.",
      param,
    );
  }
  if (scopes?.length === 0) {
    throw insufficientScope(
      `'${param}' is empty, so there is nothing to search. Name a knowledge scope or leave the field out.`,
      param,
    );
  }
  return scopes ? [...new Set(scopes)].map((scope) => pick(allowed, scope, param)) : allowed;
}

/** The collection the caller uploads to. Throws insufficient_scope, also for the public one. */
export function writableCollection(ctx: Context, scope: string): Collection {
  if (scope === PUBLIC_COLLECTION.scope) {
    throw insufficientScope(
      "public_kb is curated by the operator and cannot be written through the API. Upload to customer_kb or personal_kb.",
      "scope",
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
    throw insufficientScope(
      "This key can't write to any knowledge base. Create one with customer_kb or personal_kb on the API keys page.",
      "scope",
    );
  }
}

function pick(allowed: readonly Collection[], scope: string, param: string): Collection {
  const found = allowed.find((collection) => collection.scope === scope);
  if (!found) {
    const isKnown = KnowledgeScope.safeParse(scope).success;
    throw insufficientScope(
      `${isKnown ? `This key can't use the knowledge scope ${scope}` : "There is no such knowledge scope"}. Use one of: ${allowed.map((collection) => collection.scope).join(", ") || "none"}.`,
      param,
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
