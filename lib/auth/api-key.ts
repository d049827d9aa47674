import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { consume, rateLimitHeaders, rejectWhenExceeded } from "@/lib/http/rate-limit";
import { requireBearer } from "@/lib/http/request";
import type { Gate } from "@/lib/http/route";
import type { KeyActor, KeyContext } from "./context";
import { type FoundKey, findKeyByHash } from "./read";
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

async function authenticate(request: Request): Promise<FoundKey> {
  const secret = requireBearer(
    request,
    "No API key was sent. Send it in the header 'Authorization: Bearer <API_KEY>'.",
  );
  const hash = hashSecret(secret);
  const found = isWellFormed(secret) ? await findKeyByHash(hash) : null;
  if (!found || found.revokedAt || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) {
    // One message for all of these, so that callers can't find out which keys exist.
    throw new AppError(
      "invalid_api_key",
      "The API key is malformed, unknown, revoked or expired. Check it, or create a new one on the API keys page.",
    );
  }
  touchKey(found, hash);
  return found;
}

/** Counts a request against its key's limits and returns OpenAI's rate limit headers. Throws rate_limit_exceeded. */
export async function checkRate(actor: KeyActor): Promise<Record<string, string>> {
  const perMinute = actor.requestsPerMinute ?? env.REQUESTS_PER_MINUTE;
  const requests = await consume(`requests:${actor.id}`, 1, perMinute);
  const tokens = await countTokensUsed(actor, 0);
  const headers = {
    ...rateLimitHeaders("requests", requests),
    ...rateLimitHeaders("tokens", tokens),
  };
  for (const [kind, state] of Object.entries({ requests, tokens })) {
    const reason = `This key reached its limit of ${state.limit} ${kind} per minute.`;
    rejectWhenExceeded(state, reason, headers);
  }
  return headers;
}

/** Counts a completed request's tokens against its key's limit for later requests; 0 only reads it. */
export function countTokensUsed(actor: KeyActor, tokens: number) {
  return consume(`tokens:${actor.id}`, tokens, actor.tokensPerMinute ?? env.TOKENS_PER_MINUTE);
}
