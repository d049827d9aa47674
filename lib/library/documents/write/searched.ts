import "server-only";

import { insufficientScope } from "@/lib/errors";
import { query } from "@/lib/platform/db/client";
import { type Collection, type Reader, requestedCollections } from "../collections";
import type { DocumentSelection } from "../read/selection";
import { findStores } from "../read/stores";
import { isExpired, type Store } from "../store";

/** A store that was used since needn't be marked again. */
const MARK_SECONDS = 60;

export interface Searched {
  collections: Collection[];
  /** Absent if all documents of the collections are searched. */
  stores?: DocumentSelection["stores"];
}

interface Named {
  sources?: readonly string[] | undefined;
  stores?: readonly string[] | undefined;
}

/**
 * What a request searches: knowledge bases, narrowed to vector stores, which for a bound key are its own by default. `param`
 * is the field that names the former. Throws insufficient_scope, also for a store that it names and that isn't there or has expired.
 */
export async function resolveSearched(
  ctx: Reader,
  { sources, stores }: Named,
  param: string,
): Promise<Searched> {
  const allowed = requestedCollections(ctx, sources, param);
  const bound = ctx.actor.kind === "key" ? ctx.actor.stores : null;
  const wanted = stores ?? bound;
  if (!wanted) {
    return { collections: allowed };
  }
  const storesParam = param.replace(/sources$/, "stores");
  const found = (await findStores(ctx, wanted)).filter((store) => !isExpired(store));
  if (stores) {
    rejectUnknownStores(ctx, { stores, found }, storesParam);
  }
  const searched = found.filter(({ collection }) => allowed.some(({ id }) => id === collection.id));
  if (searched.length === 0 && !stores) {
    return { collections: allowed, stores: { storeIds: [], collectionIds: [] } };
  }
  if (searched.length === 0) {
    throw insufficientScope(
      `None of the vector stores is in the knowledge bases of '${param}'. Name those that are, or leave '${param}' out.`,
      storesParam,
    );
  }
  return searchedIn(searched);
}

/** What a search of these stores searches, which counts as using them. */
export async function searchedIn(stores: readonly Store[]): Promise<Searched> {
  const collections = new Map(stores.map(({ collection }) => [collection.id, collection]));
  const whole = stores.filter(({ isBuiltIn }) => isBuiltIn).map(({ collection }) => collection.id);
  const own = stores.filter(({ collection }) => !whole.includes(collection.id));
  await markUsed(own);
  const selected = { collectionIds: whole, storeIds: own.map(({ id }) => id) };
  return { collections: [...collections.values()], ...(own.length > 0 && { stores: selected }) };
}

function rejectUnknownStores(
  ctx: Reader,
  { stores, found }: { stores: readonly string[]; found: readonly Store[] },
  param: string,
): void {
  const unknown = stores.find((id) => found.every((store) => store.id !== id));
  if (unknown === undefined && stores.length > 0) {
    return;
  }
  if (!unknown?.startsWith("vs_")) {
    requestedCollections(ctx, unknown === undefined ? [] : [unknown], param);
  }
  throw insufficientScope(
    `There is no vector store '${unknown?.slice(0, 60)}' that this key can read, or it has expired. List them with GET /v1/vector_stores.`,
    param,
  );
}

async function markUsed(stores: readonly Store[]): Promise<void> {
  const now = Date.now() / 1000;
  const idle = stores.filter(({ lastActiveAt }) => now - (lastActiveAt ?? now) > MARK_SECONDS);
  if (idle.length > 0) {
    await query(
      "stores_mark_used",
      "UPDATE vector_store SET last_active_at = now() WHERE id = ANY($1) AND account_id = ANY($2)",
      [idle.map(({ id }) => id), idle.map(({ collection }) => collection.accountId)],
    );
  }
}
