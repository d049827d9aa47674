import { AppError, insufficientScope } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { MAX_ANONYMOUS_BODY_BYTES } from "@/lib/platform/http/read-body";
import { clientAddress } from "@/lib/platform/http/request";
import type { Gate } from "@/lib/platform/http/route";
import type { MemberContext, VisitorContext } from "./context";
import { limitMemberRequests } from "./limits";
import { currentSession } from "./write/session";

/** The gate of console endpoints: a signed-in member within their rate limit, and the console's own origin for changes. */
export function session(): Gate<MemberContext> {
  return async (request, { requestId, signal }) => {
    rejectForeignOrigin(request);
    const found = await currentSession(request.headers);
    if (!found) {
      throw new AppError("missing_session", "You aren't signed in. Sign in and try again.");
    }
    await limitMemberRequests(found.actor.id);
    return {
      ctx: { account: { id: found.accountId }, actor: found.actor, requestId, signal },
      caller: { account_id: found.accountId },
    };
  };
}

/** The gate of endpoints without a session: anyone, but only from the console's own pages. */
export const sameOrigin: Gate<VisitorContext> = Object.assign(
  async (request: Request, { requestId, signal }: Pick<VisitorContext, "requestId" | "signal">) => {
    rejectForeignOrigin(request);
    const address = clientAddress(request.headers.get("x-forwarded-for"));
    return { ctx: { requestId, signal, address } };
  },
  { maxBodyBytes: MAX_ANONYMOUS_BODY_BYTES },
);

/** Cross-site requests can't change anything. */
function rejectForeignOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isSafe = request.method === "GET" || request.method === "HEAD";
  const isForeign =
    (origin !== null && !isOwn(origin, request)) ||
    (site !== null && site !== "same-origin" && site !== "none");
  if (!isSafe && isForeign) {
    throw insufficientScope("This request came from another site. Use the console itself.");
  }
}

/** Behind a proxy the Host header may be internal, so the public address is allowed too. */
function isOwn(origin: string, request: Request): boolean {
  // A sandboxed frame's origin is "null", which must not equal a missing Host header.
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  return host !== null && [request.headers.get("host"), new URL(env.APP_URL).host].includes(host);
}
