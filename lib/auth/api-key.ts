import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { consume, type RateLimitState, rateLimitHeaders } from "@/lib/http/rate-limit";
import type { Gate } from "@/lib/http/route";
import type { KeyActor, KeyContext } from "./context";
import { findKeyByHash } from "./read";
import type { Scope } from "./schema";
import { hashSecret, isWellFormed } from "./secret";
import { touchKey } from "./write/touch-key";

/**
 * The gate of /v1: a valid bearer key with the scope, within its rate limits. Checks in this order: missing_api_key,
 * invalid_api_key, insufficient_scope, rate_limit_exceeded.
 */
export function apiKey(scope: Scope): Gate<KeyContext> {
  const gate: Gate<KeyContext> = async (request, { requestId, signal }) => {
    const { accountId, actor } = await authenticate(request);
    if (!actor.scopes.includes(scope)) {
      throw new AppError(
        "insufficient_scope",
        `This key lacks the scope '${scope}'. Create a key with this scope on the API keys page.`,
      );
    }
    const headers = await checkRate(actor);
    return {
      ctx: { account: { id: accountId }, actor, requestId, signal },
      caller: { account_id: accountId, key_id: actor.id },
      headers,
    };
  };
  return Object.assign(gate, { scope });
}

async function authenticate(request: Request): Promise<{ accountId: string; actor: KeyActor }> {
  const secret = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!secret) {
    throw new AppError(
      "missing_api_key",
      "No API key was sent. Send it in the header 'Authorization: Bearer <API_KEY>'.",
      { headers: { "www-authenticate": "Bearer" } },
    );
  }
  const hash = hashSecret(secret);
  const found = isWellFormed(secret) ? await findKeyByHash(hash) : null;
  const now = Date.now();
  if (!found || found.revokedAt || (found.expiresAt && found.expiresAt.getTime() <= now)) {
    // One message for all of these, so that callers can't find out which keys exist.
    throw new AppError(
      "invalid_api_key",
      "The API key is malformed, unknown, revoked or expired. Check it, or create a new one on the API keys page.",
    );
  }
  touchKey({
    id: found.actor.id,
    accountId: found.accountId,
    hash,
    lastUsedAt: found.lastUsedAt,
  });
  return found;
}

/** Counts a request against its key's limits and returns OpenAI's rate limit headers. Throws rate_limit_exceeded. */
export async function checkRate(actor: KeyActor): Promise<Record<string, string>> {
  const requests = await consume(
    `requests:${actor.id}`,
    1,
    actor.requestsPerMinute ?? env.REQUESTS_PER_MINUTE,
  );
  const tokens = await consume(
    `tokens:${actor.id}`,
    0,
    actor.tokensPerMinute ?? env.TOKENS_PER_MINUTE,
  );
  const headers = {
    ...rateLimitHeaders("requests", requests),
    ...rateLimitHeaders("tokens", tokens),
  };
  rejectWhenExceeded("requests", requests, headers);
  rejectWhenExceeded("tokens", tokens, headers);
  return headers;
}

function rejectWhenExceeded(
  what: string,
  state: RateLimitState,
  headers: Record<string, string>,
): void {
  if (state.isExceeded) {
    const seconds = Math.max(1, Math.ceil(state.resetMs / 1000));
    throw new AppError(
      "rate_limit_exceeded",
      `This key reached its limit of ${state.limit} ${what} per minute. Wait ${seconds} s and try again.`,
      { headers: { ...headers, "retry-after": String(seconds) } },
    );
  }
}

/** Counts a completed request's tokens against its key's limit for later requests. */
export async function countTokensUsed(actor: KeyActor, tokens: number): Promise<void> {
  await consume(`tokens:${actor.id}`, tokens, actor.tokensPerMinute ?? env.TOKENS_PER_MINUTE);
}
