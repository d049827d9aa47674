import type { KnowledgeScope, QueryMode, Scope } from "./schema";

export interface KeyActor {
  kind: "key";
  id: string;
  mode: "live" | "test";
  scopes: readonly Scope[];
  knowledgeScopes: readonly KnowledgeScope[];
  /** The vector stores that it is bound to, which may be gone: other documents don't exist for it. Null if it isn't bound. */
  stores: readonly string[] | null;
  /** Models the key may call; empty: only the default model. */
  models: readonly string[];
  /** Whose documents personal_kb holds. */
  personId: string | null;
  /** For requests that don't set `citations.query`. */
  queryMode: QueryMode;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** Defaults for keys that the server itself acts with: no scopes and no limits of their own. */
export const INTERNAL_KEY = {
  kind: "key",
  mode: "test",
  queryMode: "last",
  requestsPerMinute: null,
  tokensPerMinute: null,
  scopes: [],
  stores: null,
  models: [],
  personId: null,
} as const satisfies Partial<KeyActor>;

export interface MemberActor {
  kind: "member";
  id: string;
  email: string;
  name: string | null;
  /** Absent outside a browser session. */
  sessionId?: string;
}

/** Who is calling, for which account, in which request. Only the gates and jobs create one. */
export interface Context<A = KeyActor | MemberActor | { kind: "system"; job: string }> {
  account: { id: string };
  actor: A;
  requestId: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export type AnonymousContext = Pick<Context, "requestId">;
/** Someone without a session. `address`: what limits count them by. */
export type VisitorContext = Pick<Context, "requestId" | "signal"> & { address: string };
export type KeyContext = Context<KeyActor>;
export type MemberContext = Context<MemberActor>;
/** Who manages keys: a member, or a key, which manages those that it created. */
export type KeyManager = Context<KeyActor | MemberActor>;
