import type { KnowledgeScope, Scope } from "./schema";

/** An API key that has proved itself. */
export interface KeyActor {
  kind: "key";
  id: string;
  mode: "live" | "test";
  scopes: readonly Scope[];
  knowledgeScopes: readonly KnowledgeScope[];
  /** Models the key may call; empty: the default model alone. */
  models: readonly string[];
  /** The one person whose documents a key with personal_kb reads and writes. */
  personId: string | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

export interface MemberActor {
  kind: "member";
  id: string;
  email: string;
  name: string | null;
  /** The session of the browser that asks; absent where no browser does. */
  sessionId?: string;
}

interface SystemActor {
  kind: "system";
  job: string;
}

/** Who is asking, for whom, in which request. Minted by the session gate, the key gate and jobs alone. */
export interface Context<A = KeyActor | MemberActor | SystemActor> {
  account: { id: string };
  actor: A;
  requestId: string;
  /** Ends when the client hangs up. */
  signal: AbortSignal;
}

/** Somebody who has not proved who they are. */
export type AnonymousContext = Pick<Context, "requestId">;
export type KeyContext = Context<KeyActor>;
export type MemberContext = Context<MemberActor>;
