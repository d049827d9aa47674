import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Gate } from "@/lib/http/route";

/**
 * The gate of /api/metrics: METRICS_TOKEN as a bearer token. Throws not_found where none is set, missing_api_key
 * or invalid_api_key.
 */
export const metricsToken: Gate<undefined> = async (request) => {
  if (env.METRICS_TOKEN === undefined) {
    throw new AppError("not_found", "There are no metrics here. Set METRICS_TOKEN to have them.");
  }
  const sent = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!sent) {
    throw new AppError(
      "missing_api_key",
      "No token was sent. Put METRICS_TOKEN into the header 'Authorization: Bearer <token>'.",
      { headers: { "www-authenticate": "Bearer" } },
    );
  }
  if (!timingSafeEqual(digest(sent), digest(env.METRICS_TOKEN))) {
    throw new AppError("invalid_api_key", "The token is not the one of METRICS_TOKEN. Check it.");
  }
  return { ctx: undefined, headers: { "content-disposition": "inline" } };
};

/** Of one length, so that the comparison takes the same time for all. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
