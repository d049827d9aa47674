import { AppError, insufficientScope } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { addLogField } from "@/lib/platform/http/log-context";
import {
  consume,
  type RateLimitState,
  rateLimitHeaders,
  rejectWhenExceeded,
} from "@/lib/platform/http/rate-limit";
import { requireBearer } from "@/lib/platform/http/request";
import type { Gate } from "@/lib/platform/http/route";
import type { KeyContext } from "./context";
import { type FoundKey, findKeyByHash } from "./read";
import type { Scope } from "./schema";
import { hashSecret, isWellFormed } from "./secret";
import { touchKey } from "./write/touch-key";

/** An account's limits as a multiple of a key's, unless they are set: several keys can be busy at once. */
const ACCOUNT_FACTOR = 5;

/**
 * The gate of /v1: a valid bearer key with one of the scopes, within its rate limits and its account's. Checks in this order: missing_api_key,
 * invalid_api_key, insufficient_scope, rate_limit_exceeded.
 */
export function apiKey(...scopes: [Scope, ...Scope[]]): Gate<KeyContext> {
  const gate: Gate<KeyContext> = async (...input) => {
    const passed = await anyKey(...input);
    requireScope(passed.ctx, ...scopes);
    return { ...passed, headers: await checkRate(passed.ctx) };
  };
  return Object.assign(gate, { scope: scopes.join(" or "), nameCaller });
}

/** A gate that checks nothing but the key: scopes and limits are left to the handler. */
export const anyKey: Gate<KeyContext> = async (request, { requestId, signal }) => {
  const { accountId, actor } = await authenticate(request);
  const caller = { account_id: accountId, key_id: actor.id };
  addLogField(caller);
  return { ctx: { account: { id: accountId }, actor, requestId, signal }, caller };
};

/** Lets everyone pass, and names the key that was sent, so that its owner finds the request in the log. */
export const nameCaller: Gate<undefined> = async (request) => {
  const found = await authenticate(request).catch(() => null);
  if (found) {
    addLogField({ account_id: found.accountId, key_id: found.actor.id });
  }
  return { ctx: undefined };
};

/** Looks a request's key up. Throws missing_api_key or invalid_api_key. */
async function authenticate(request: Request): Promise<FoundKey> {
  const secret = requireBearer(
    request,
    "No API key was sent. Send it in the header 'Authorization: Bearer <API_KEY>'.",
  );
  const hash = hashSecret(secret);
  const found = isWellFormed(secret) ? await findKeyByHash(hash) : null;
  if (!found || !isUsable(found)) {
    if (found) {
      // Its owner sees who still uses it.
      addLogField({ account_id: found.accountId, key_id: found.actor.id });
    }
    // One message for all of these, so that callers can't find out which keys exist.
    throw new AppError(
      "invalid_api_key",
      "The API key is malformed, unknown, revoked or expired. Check it, or create a new one on the API keys page.",
    );
  }
  touchKey(found, hash);
  return found;
}

function isUsable({ revokedAt, expiresAt }: FoundKey): boolean {
  return !revokedAt && !(expiresAt && expiresAt.getTime() <= Date.now());
}

/** Throws insufficient_scope for a key that has none of the scopes. */
export function requireScope({ actor }: KeyContext, ...scopes: Scope[]): void {
  if (!scopes.some((scope) => actor.scopes.includes(scope))) {
    throw insufficientScope(
      `This key lacks the scope '${scopes.join("' or '")}'. Create a key with this scope on the API keys page.`,
    );
  }
}

type Limited = Pick<KeyContext, "account" | "actor">;

/**
 * Counts a request against the limits of its key, then of its account, and returns OpenAI's rate limit headers for the
 * tighter of the two. Throws rate_limit_exceeded.
 */
export async function checkRate(ctx: Limited): Promise<Record<string, string>> {
  const { actor, account } = ctx;
  const perMinute = actor.requestsPerMinute ?? env.REQUESTS_PER_MINUTE;
  const [requests, tokens] = await Promise.all([
    consume(`requests:${actor.id}`, 1, perMinute),
    consumeTokensOfKey(ctx, 0),
  ]);
  const ofKey = { requests, tokens };
  rejectExceeded("This key", ofKey, ofKey);
  // What its key's own limit refuses doesn't count against the account's other keys.
  const perAccount = env.ACCOUNT_REQUESTS_PER_MINUTE ?? ACCOUNT_FACTOR * env.REQUESTS_PER_MINUTE;
  const [ofAccount, accountTokens] = await Promise.all([
    consume(`account-requests:${account.id}`, 1, perAccount),
    consumeTokensOfAccount(ctx, 0),
  ]);
  const tighter = {
    requests: tighterOf(requests, ofAccount),
    tokens: tighterOf(tokens, accountTokens),
  };
  rejectExceeded("Your account", { requests: ofAccount, tokens: accountTokens }, tighter);
  return headersOf(tighter);
}

/** Counts a completed request's tokens against the limits of its key and account for later requests. */
export async function countTokensUsed(ctx: Limited, tokens: number): Promise<void> {
  await Promise.all([consumeTokensOfKey(ctx, tokens), consumeTokensOfAccount(ctx, tokens)]);
}

function consumeTokensOfKey({ actor }: Limited, tokens: number): Promise<RateLimitState> {
  return consume(`tokens:${actor.id}`, tokens, actor.tokensPerMinute ?? env.TOKENS_PER_MINUTE);
}

function consumeTokensOfAccount({ account }: Limited, tokens: number): Promise<RateLimitState> {
  const perMinute = env.ACCOUNT_TOKENS_PER_MINUTE ?? ACCOUNT_FACTOR * env.TOKENS_PER_MINUTE;
  return consume(`account-tokens:${account.id}`, tokens, perMinute);
}

type States = Record<"requests" | "tokens", RateLimitState>;

function tighterOf(key: RateLimitState, account: RateLimitState): RateLimitState {
  return account.remaining < key.remaining ? account : key;
}

function headersOf({ requests, tokens }: States): Record<string, string> {
  return { ...rateLimitHeaders("requests", requests), ...rateLimitHeaders("tokens", tokens) };
}

/** With the headers of the states to show. */
function rejectExceeded(who: string, states: States, shown: States): void {
  for (const kind of ["requests", "tokens"] as const) {
    const state = states[kind];
    if (state.isExceeded) {
      const unit = state.limit === 1 ? kind.slice(0, -1) : kind;
      const reason = `${who} reached its limit of ${state.limit} ${unit} per minute.`;
      rejectWhenExceeded(state, reason, headersOf(shown));
    }
  }
}
