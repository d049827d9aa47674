import "server-only";

import { invalidRequest, notFound } from "@/lib/errors";
import { listBoundKeys } from "@/lib/money/keys/read";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { query, type Row } from "@/lib/platform/db/client";
import { sliceOpenAIPage } from "@/lib/platform/http/list-page";
import {
  boundTo,
  type Collection,
  isWhole,
  type Reader,
  readableCollections,
  writableDocuments,
} from "../collections";
import { ID_SHAPE } from "../schema";
import { expiryOf, isExpired, type Store } from "../store";
import type {
  LibraryStoreList,
  ListVectorStores,
  VectorStore,
  VectorStorePage,
} from "../store-schema";
import { toReaderContext } from "./documents";
import { toSeconds } from "./files";
import { countStoreFiles } from "./store-files";

interface StoreRow extends Row {
  id: string;
  collection_id: string;
  name: string;
  description: string;
  metadata: Record<string, string>;
  created_at: Date;
  last_active_at: Date;
  expires_days: number | null;
}

const NAMES = {
  public_kb: "Public knowledge base",
  customer_kb: "Documents of the account",
  personal_kb: "Documents of the person",
};

/** A store in a knowledge base that the caller may read. Throws not_found. */
export async function getStore(ctx: Reader, id: string): Promise<Store> {
  const [store] = await findStores(ctx, [id]);
  if (!store) {
    const message = "There is no such vector store. Check its id, or list the vector stores.";
    throw notFound(message, "vector_store_id");
  }
  return store;
}

/** As `getStore`, but also throws not_found for one that has expired. */
export async function getUsableStore(ctx: Reader, id: string): Promise<Store> {
  const store = await getStore(ctx, id);
  if (isExpired(store)) {
    throw notFound(
      "The vector store has expired. Change its expires_after to use it again, or create another one: its documents are still there.",
      "vector_store_id",
    );
  }
  return store;
}

/** In a collection that the caller may write to; of a bound key, one of its stores or in one of its collections. */
const READABLE =
  "account_id = $1 AND collection_id = ANY($2) AND ($3::text[] IS NULL OR id = ANY($3) OR collection_id = ANY($3))";

/** Those of which the caller may read every document. */
function readableKnowledgeBases(ctx: Reader): Collection[] {
  const bound = boundTo(ctx);
  return readableCollections(ctx).filter(({ id }) => isWhole(id, bound));
}

/** Those of the ids that the caller may read, in any order. */
export async function findStores(ctx: Reader, ids: readonly string[]): Promise<Store[]> {
  const builtIn = readableKnowledgeBases(ctx).filter(({ scope }) => ids.includes(scope));
  const own = ids.filter((id) => id.startsWith("vs_") && ID_SHAPE.test(id));
  const rows =
    own.length === 0
      ? []
      : await query<StoreRow>(
          "stores_find",
          `SELECT * FROM vector_store WHERE ${READABLE} AND id = ANY($4)`,
          [ctx.account.id, ...writableDocuments(ctx), own],
        );
  return [...builtIn.map(toBuiltIn), ...rows.flatMap((row) => toOwn(ctx, row))];
}

/** The knowledge bases, then the account's own stores by time. An account has a limited number of them. */
export async function listStores(ctx: Reader, input: ListVectorStores): Promise<VectorStorePage> {
  const own = await query<{ id: string }>(
    "stores_list",
    `SELECT id FROM vector_store WHERE ${READABLE} ORDER BY id`,
    [ctx.account.id, ...writableDocuments(ctx)],
  );
  const all = [
    ...readableKnowledgeBases(ctx).map(({ scope }) => ({ id: scope as string })),
    ...own,
  ];
  const page = sliceOpenAIPage(all, input, "vector store");
  const ids = page.data.map(({ id }) => id);
  const shown = await describeStores(await findStores(ctx, ids));
  const byId = new Map(shown.map((store) => [store.id, store]));
  return { ...page, data: ids.flatMap((id) => byId.get(id) ?? []) };
}

async function findOwnStores(reader: Reader): Promise<Store[]> {
  const rows = await query<StoreRow>(
    "stores_of_member",
    `SELECT * FROM vector_store WHERE ${READABLE} ORDER BY id DESC`,
    [reader.account.id, ...writableDocuments(reader)],
  );
  return rows.flatMap((row) => toOwn(reader, row));
}

/** The stores, except the knowledge bases, that a member can read. */
export async function listMemberStores(
  ctx: MemberContext,
): Promise<{ id: string; name: string; scope: KnowledgeScope }[]> {
  const stores = await findOwnStores(await toReaderContext(ctx));
  return stores.map(({ id, name, collection }) => ({ id, name, scope: collection.scope }));
}

/** The member's stores, newest first, after the knowledge bases that they can add to; each with the keys bound to it. */
export async function listLibraryStores(ctx: MemberContext): Promise<LibraryStoreList> {
  const reader = await toReaderContext(ctx);
  const [own, keys] = await Promise.all([findOwnStores(reader), listBoundKeys(ctx)]);
  const builtIn = readableKnowledgeBases(reader).filter(({ scope }) => scope !== "public_kb");
  const described = await describeStores([...builtIn.map(toBuiltIn), ...own]);
  const data = described.map((store) => ({
    ...store,
    keys: keys
      .filter(({ stores }) => stores.includes(store.id))
      .map(({ id, name }) => ({ id, name })),
  }));
  return { object: "list", data };
}

interface Binding {
  stores?: string[] | null | undefined;
  knowledge_scopes: KnowledgeScope[];
}

/** Throws invalid_request for a store that the member can't read, or that isn't in the knowledge scopes. */
export async function requireMemberStores(
  ctx: MemberContext,
  { stores, knowledge_scopes }: Binding,
): Promise<void> {
  const own = stores?.some((id) => id.startsWith("vs_")) ? await listMemberStores(ctx) : [];
  const known = own.filter(({ scope }) => knowledge_scopes.includes(scope)).map(({ id }) => id);
  rejectUnknownStores(stores?.map((id) => !id.startsWith("vs_") || known.includes(id)) ?? []);
}

/**
 * Throws invalid_request for a new key's store that its creator or the new key itself can't read. A new key without stores
 * of its own inherits its creator's.
 */
export async function requireKeyStores(
  ctx: KeyContext,
  { stores, knowledge_scopes, person }: Binding & { person?: string | null | undefined },
): Promise<void> {
  const inherited = knowledge_scopes.length > 0 ? ctx.actor.stores : null;
  const named = stores ?? inherited ?? [];
  const found = await findStores(ctx, named);
  const known = found.filter(({ isBuiltIn, collection: { scope } }) => {
    const isOfAnother = scope === "personal_kb" && person && !isBuiltIn;
    return knowledge_scopes.includes(scope) && !isOfAnother;
  });
  rejectUnknownStores(named.map((id) => known.some((store) => store.id === id)));
}

function rejectUnknownStores(areKnown: boolean[]): void {
  const unknown = areKnown.indexOf(false);
  if (unknown >= 0) {
    throw invalidRequest(
      "There is no such vector store in these knowledge scopes. Choose stores from the list.",
      `stores.${unknown}`,
    );
  }
}

export async function describeStore(store: Store): Promise<VectorStore> {
  const [described] = await describeStores([store]);
  if (!described) {
    throw new Error("A store has no description.");
  }
  return described;
}

async function describeStores(stores: readonly Store[]): Promise<VectorStore[]> {
  const counted = await countStoreFiles(stores);
  return stores.map((store) => {
    const { counts, bytes } = counted(store);
    const { id, name, description, collection, metadata, createdAt, lastActiveAt } = store;
    const status = counts.in_progress > 0 ? "in_progress" : "completed";
    return {
      ...{ id, object: "vector_store", created_at: createdAt, name, description },
      ...{ scope: collection.scope, usage_bytes: bytes, file_counts: counts },
      status: isExpired(store) ? "expired" : status,
      expires_after:
        store.expiresDays === null ? null : { anchor: "last_active_at", days: store.expiresDays },
      ...{ expires_at: expiryOf(store), last_active_at: lastActiveAt, metadata },
    };
  });
}

function toBuiltIn(collection: Collection): Store {
  return {
    ...{ id: collection.scope, collection, isBuiltIn: true, name: NAMES[collection.scope] },
    ...{ description: "", metadata: {}, createdAt: 0, lastActiveAt: null, expiresDays: null },
  };
}

function toOwn(ctx: Reader, row: StoreRow): Store[] {
  const collection = readableCollections(ctx).find(({ id }) => id === row.collection_id);
  const { id, name, description, metadata, expires_days: expiresDays } = row;
  const times = {
    createdAt: toSeconds(row.created_at),
    lastActiveAt: toSeconds(row.last_active_at),
  };
  return collection
    ? [{ id, collection, isBuiltIn: false, name, description, metadata, expiresDays, ...times }]
    : [];
}
