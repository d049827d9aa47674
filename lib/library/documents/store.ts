import type { Collection } from "./collections";

const DAY_SECONDS = 24 * 60 * 60;

/** A vector store: an account's own, or a knowledge base, which has its scope as its id and all of its documents. */
export interface Store {
  id: string;
  collection: Collection;
  isBuiltIn: boolean;
  name: string;
  description: string;
  metadata: Record<string, string>;
  /** In seconds. */
  createdAt: number;
  /** Null for a knowledge base, which doesn't expire. */
  lastActiveAt: number | null;
  expiresDays: number | null;
}

export function isExpired(store: Store): boolean {
  const expiry = expiryOf(store);
  return expiry !== null && expiry * 1000 <= Date.now();
}

/** In seconds; null if it never expires. */
export function expiryOf({ expiresDays, lastActiveAt }: Store): number | null {
  return expiresDays === null || lastActiveAt === null
    ? null
    : lastActiveAt + expiresDays * DAY_SECONDS;
}
