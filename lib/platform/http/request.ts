import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import * as z from "zod";
import { AppError, invalidRequest } from "@/lib/errors";
import { env } from "@/lib/platform/env";

type HostedRequest = Request & {
  runtime?: { node?: { req: IncomingMessage; res: ServerResponse } };
};

/** Node's own request and response, which only our host passes on: reading and watching them is much faster. */
export function nodeOf(
  request: Request,
): { req: IncomingMessage; res: ServerResponse } | undefined {
  return (request as HostedRequest).runtime?.node;
}

/** What a name ends in if its parameter may be repeated, as OpenAI's clients write lists: `include[]=a&include[]=b`. */
const LIST_SUFFIX = "[]";

/** The query by name. A name that ends in `[]` has a list; another name that is repeated has its last value. */
export function readQuery(request: Request): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const before = query.get(name);
    if (!name.endsWith(LIST_SUFFIX)) {
      query.set(name, value);
    } else if (Array.isArray(before)) {
      before.push(value);
    } else {
      query.set(name, [value]);
    }
  }
  return Object.fromEntries(query);
}

/** Throws invalid_request for a repeated query parameter that isn't a list: all but its last value would be ignored. */
export function rejectDuplicateParams(request: Request): void {
  const seen = new Set<string>();
  const isRepeated = (name: string) =>
    seen.size === seen.add(name).size && !name.endsWith(LIST_SUFFIX);
  const repeated = new URL(request.url).searchParams.keys().find(isRepeated);
  if (repeated !== undefined) {
    throw invalidRequest(
      `'${repeated}' is repeated in the query. Send it once; where several values are allowed, separate them with commas.`,
      repeated,
    );
  }
}

/** The bearer token of a request. Throws missing_api_key, with `message`. */
export function requireBearer(request: Request, message: string): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) {
    throw new AppError("missing_api_key", message, { headers: { "www-authenticate": "Bearer" } });
  }
  return token;
}

const HEADER = "idempotency-key";
/** Stripe's limit. */
const PATTERN = /^[\x21-\x7e]{1,255}$/;

export const IdempotencyHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .regex(PATTERN)
    .optional()
    .describe(
      "Any text you choose, such as a UUID. The same key and body return the same checkout or answer.",
    ),
});

export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get(HEADER);
  if (key !== null && !PATTERN.test(key)) {
    throw invalidRequest(
      "The 'Idempotency-Key' header isn't valid. Use 1 to 255 visible ASCII characters, such as a UUID.",
      HEADER,
    );
  }
  return key;
}

/** For answers that contain a secret, which nothing may store to send it again. Throws invalid_request. */
export function rejectIdempotencyKey(request: Request): void {
  if (request.headers.has(HEADER)) {
    throw invalidRequest(
      "This endpoint doesn't take an 'Idempotency-Key', because its response contains a secret, which isn't stored. Leave the header out.",
      HEADER,
    );
  }
}

const FORWARDED_FOR = "x-forwarded-for";

/** Enough for an IPv6 address with a zone; the client controls the header. */
const MAX_ADDRESS_LENGTH = 64;

interface Connected {
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
}

/** Appends the connection's own address to X-Forwarded-For, as a proxy would. Call it once, before anything reads it. */
export function appendPeerAddress({ headers, socket }: Connected): void {
  const forwarded = [headers[FORWARDED_FOR], socket.remoteAddress].flat().filter(Boolean);
  headers[FORWARDED_FOR] = forwarded.join(", ");
}

/**
 * The client's address, for rate limits on unauthenticated callers; of an IPv6 address, its network. Each trusted proxy
 * and this server appended the address they were called from, so the client's comes before those of the proxies. Anything
 * further left is the client's own invention.
 */
export function clientAddress(
  forwardedFor: string | null | undefined,
  trustedProxies = env.TRUSTED_PROXIES,
): string {
  const addresses = forwardedFor?.split(",") ?? [];
  const address = addresses[Math.max(0, addresses.length - 1 - trustedProxies)];
  return networkOf(address?.trim().slice(0, MAX_ADDRESS_LENGTH) || "unknown");
}

/** An IPv4 address, as sockets and proxies write it: some map it into IPv6, some add the port. */
const IPV4 = /^(?:::ffff:)?(\d+(?:\.\d+){3})(?::\d+)?$/i;
const IPV6_GROUPS = 8;
/** One subscriber has at least 64 bits of addresses. */
const NETWORK_GROUPS = 4;

function networkOf(address: string): string {
  const [, ipv4] = IPV4.exec(address) ?? [];
  if (ipv4 || !isIPv6(address)) {
    return ipv4 ?? address;
  }
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - groups.length - last.length)).fill("0");
  const network = [...groups, ...zeros, ...last].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
