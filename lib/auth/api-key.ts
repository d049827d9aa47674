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
 * The gate of /v1: a bearer key that is known, usable and carries the scope, within its rate limits.
 * Throws missing_api_key, invalid_api_key, insufficient_scope or rate_limit_exceeded, in this order.
 */
export function apiKey(scope: Scope): Gate<KeyContext> {
  const gate: Gate<KeyContext> = async (request, { requestId, signal }) => {
    const { accountId, actor } = await authenticate(request);
    if (!actor.scopes.includes(scope)) {
      throw new AppError(
        "insufficient_scope",
        `This key lacks the scope '${scope}'. Make a key that carries it on the API keys page.`,
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
      "No API key was sent. Put it into the header 'Authorization: Bearer <API_KEY>'.",
      { headers: { "www-authenticate": "Bearer" } },
    );
  }
  const hash = hashSecret(secret);
  const found = isWellFormed(secret) ? await findKeyByHash(hash) : null;
  const now = Date.now();
  if (!found || found.revokedAt || (found.expiresAt && found.expiresAt.getTime() <= now)) {
    // One sentence for all of these: a stranger does not learn which keys exist.
    throw new AppError(
      "invalid_api_key",
      "The API key is malformed, unknown, revoked or expired. Check it, or make a new one on the API keys page.",
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

/** Counts a request against its key's limits. Returns OpenAI's headers; throws rate_limit_exceeded. */
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
  allowance: RateLimitState,
  headers: Record<string, string>,
): void {
  if (allowance.isExceeded) {
    const seconds = Math.max(1, Math.ceil(allowance.resetMs / 1000));
    throw new AppError(
      "rate_limit_exceeded",
      `This key's limit of ${allowance.limit} ${what} a minute is reached. Wait ${seconds} s and try again.`,
      { headers: { ...headers, "retry-after": String(seconds) } },
    );
  }
}

/** Counts the tokens a request used against its key's limit; they weigh on the requests after it. */
export async function countTokensUsed(actor: KeyActor, tokens: number): Promise<void> {
  await consume(`tokens:${actor.id}`, tokens, actor.tokensPerMinute ?? env.TOKENS_PER_MINUTE);
}
