import { hash, timingSafeEqual } from "node:crypto";
import { AppError, notFound } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { requireBearer } from "@/lib/platform/http/request";
import type { Gate } from "@/lib/platform/http/route";

/** The gate of /api/metrics. Throws not_found without METRICS_TOKEN, missing_api_key or invalid_api_key. */
export const metricsToken: Gate<undefined> = async (request) => {
  if (env.METRICS_TOKEN === undefined) {
    throw notFound("Metrics are disabled. Set METRICS_TOKEN to enable them.");
  }
  const sent = requireBearer(
    request,
    "No token was sent. Send METRICS_TOKEN in the header 'Authorization: Bearer <token>'.",
  );
  if (!timingSafeEqual(digest(sent), digest(env.METRICS_TOKEN))) {
    throw new AppError("invalid_api_key", "The token doesn't match METRICS_TOKEN. Check it.");
  }
  return { ctx: undefined, headers: { "content-disposition": "inline" } };
};

/** Equal lengths, so that the comparison takes constant time. */
function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
