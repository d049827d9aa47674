import "server-only";

import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { AppError } from "@/lib/errors";
import { anyKey, checkRate, nameCaller } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import { toAppError } from "@/lib/platform/http/error-response";
import { type Gate, Relayed } from "@/lib/platform/http/route";
import type { McpMessage } from "./schema";
import { createMcpServer } from "./server";

/** The gate of /mcp. Scopes and limits are left to the tools, which can tell the model about them. */
export const mcpGate: Gate<KeyContext> = Object.assign(
  async (...[request, facts]: Parameters<Gate<KeyContext>>) => {
    rejectForeignHost(request);
    return anyKey(request, facts).catch((thrown: unknown) => {
      const { code, message } = toAppError(thrown);
      // The protocol's status for any bad credential, at which clients ask for another.
      throw code === "invalid_api_key"
        ? new AppError(code, message, {
            status: 401,
            headers: { "www-authenticate": 'Bearer error="invalid_token"' },
          })
        : thrown;
    });
  },
  { nameCaller },
);

/** Against pages of other sites, also those whose name was rebound to this server's address. */
function rejectForeignHost({ url, headers }: Request): void {
  const { hostname } = new URL(env.APP_URL);
  const local = localhostAllowedHostnames();
  const allowed = [hostname, ...local];
  // A public server may have internal names behind its proxy. Nobody but this machine's programs should call a local one.
  const isHost = !local.includes(hostname) || allowed.includes(new URL(url).hostname);
  if (!isHost || !validateOriginHeader(headers.get("origin"), allowed).ok) {
    throw new AppError(
      "insufficient_scope",
      `This request came from another site, or names another host. Connect to ${new URL("/mcp", env.APP_URL).href}, not from a web page.`,
    );
  }
}

/**
 * Answers one message, with a server of its own: nothing is kept between requests. Throws rate_limit_exceeded, except for
 * a tool call, whose result says so.
 */
export async function serveMcp(
  ctx: KeyContext,
  message: McpMessage,
  request: Request,
): Promise<Relayed> {
  const { headers: limits, refusal } = await checkRate(ctx).then(
    (headers) => ({ headers, refusal: null }),
    (thrown: unknown) => ({ headers: {}, refusal: toAppError(thrown) }),
  );
  if (refusal && message.method !== "tools/call") {
    throw refusal;
  }
  let reported: AppError | undefined;
  const report = (thrown: unknown) => {
    reported = toAppError(thrown);
    return reported;
  };
  const handler = createMcpHandler(() => createMcpServer({ ctx, refusal, report }), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  const { url, method, headers } = request;
  const response = await handler.fetch(new Request(url, { method, headers, signal: ctx.signal }), {
    parsedBody: message,
  });
  const type = response.headers.get("content-type");
  const head = { ...refusal?.headers, ...limits, ...(type && { "content-type": type }) };
  return new Relayed(await response.text(), { status: response.status, headers: head }, reported);
}
