import type { Context, KeyContext, MemberActor } from "@/lib/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/auth/public-account";
import { KnowledgeScope } from "@/lib/auth/schema";
import { AppError } from "@/lib/errors";

/** A searchable body of documents and whom it belongs to. Its id says both, so that it needs no look-up. */
export interface Collection {
  id: string;
  scope: KnowledgeScope;
  accountId: string;
  personId: string | null;
}

/** What a row of a collection is found by, and the account whose rows are stored together. */
export type CollectionKey = Pick<Collection, "id" | "accountId">;

export const PUBLIC_COLLECTION: Collection = {
  id: "public_kb",
  scope: "public_kb",
  accountId: PUBLIC_ACCOUNT_ID,
  personId: null,
};

/** A member with the person that stands for them; null as long as nothing of theirs was ever personal. */
interface ReadingMember extends MemberActor {
  personId: string | null;
}

/** Who may read documents: a key, or a member as `asReader` knows them. */
export type Reader = KeyContext | Context<ReadingMember>;

/** The collections the caller may read: a key's knowledge scopes; a member reads all, their own person's included. */
function collectionsOf(ctx: Context): Collection[] {
  const { actor } = ctx;
  const scopes: readonly KnowledgeScope[] =
    actor.kind === "key" ? actor.knowledgeScopes : KnowledgeScope.options;
  return scopes.flatMap((scope) => collectionOf(ctx, scope) ?? []);
}

/** Their ids: what every read of a document is bound to. */
export function readableIds(ctx: Reader): string[] {
  return collectionsOf(ctx).map(({ id }) => id);
}

/**
 * The collections a request asks for by scope: all the caller's when it names none.
 * Throws insufficient_scope for an empty list, an unknown scope or one the caller lacks.
 */
export function requestedCollections(
  ctx: Context,
  scopes: readonly string[] | undefined,
  param: string,
): Collection[] {
  const allowed = collectionsOf(ctx);
  if (allowed.length === 0) {
    throw new AppError(
      "insufficient_scope",
      "This key may read no knowledge base. Make a key with a knowledge scope on the API keys page.",
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

/**
 * The collection the caller uploads to. Throws insufficient_scope for the public one, an unknown scope
 * or one the caller lacks.
 */
export function writableCollection(ctx: Context, scope: string): Collection {
  if (scope === PUBLIC_COLLECTION.scope) {
    throw new AppError(
      "insufficient_scope",
      "public_kb is curated by the operator and cannot be written through the API. Upload to customer_kb or personal_kb.",
      { param: "scope" },
    );
  }
  return pick(collectionsOf(ctx), scope, "scope");
}

function pick(allowed: readonly Collection[], scope: string, param: string): Collection {
  const found = allowed.find((collection) => collection.scope === scope);
  if (!found) {
    const isKnown = KnowledgeScope.safeParse(scope).success;
    throw new AppError(
      "insufficient_scope",
      `${isKnown ? `This key may not use the knowledge scope ${scope}` : "There is no such knowledge scope"}. Use one of: ${allowed.map((collection) => collection.scope).join(", ") || "none"}.`,
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
