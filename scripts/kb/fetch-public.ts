import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector, fetch } from "undici";

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 120_000;

interface FetchLimits {
  maxBytes: number;
  signal: AbortSignal;
  /** Which addresses may be connected to. */
  isAllowed?: (address: string) => boolean;
}

export interface FetchedFile {
  /** Where redirects led. */
  url: string;
  /** From the response, or from the address's last segment. */
  name: string | null;
  bytes: Uint8Array;
}

/** An address of the public internet: not loopback, link-local, private, or reserved for anything else. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/**
 * Downloads a file over HTTP, only from public addresses: names are resolved once, for the connection itself, and the
 * target of every redirect is checked alike. Throws an Error that says what is wrong.
 */
export async function fetchPublic(
  address: string,
  { maxBytes, signal, isAllowed = isPublicAddress }: FetchLimits,
): Promise<FetchedFile> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Error("Only http and https addresses can be added.");
  }
  const dispatcher = publicAgent(isAllowed);
  try {
    const response = await fetch(address, {
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) {
      throw new Error(`The server answered with status ${response.status}.`);
    }
    const bytes = await readAtMost(response.body, maxBytes);
    return { url: response.url, name: nameOf(response), bytes };
  } catch (thrown) {
    signal.throwIfAborted();
    throw new Error(reasonOf(thrown), { cause: thrown });
  } finally {
    await dispatcher.destroy();
  }
}

/** An agent that connects to allowed addresses only. */
function publicAgent(isAllowed: (address: string) => boolean): Agent {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    // The connection uses the very addresses that were checked.
    lookup: (host, options, callback) => {
      lookup(host, { ...options, all: true }, (error, addresses) => {
        const refused = error ?? refusal(host, addresses, isAllowed);
        if (refused) {
          callback(refused, []);
        } else {
          callback(null, addresses);
        }
      });
    },
  });
  return new Agent({
    connect: (options, callback) => {
      // Node doesn't look an address up.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      const refused = isIP(host) ? refusal(host, [{ address: host, family: 0 }], isAllowed) : null;
      if (refused) {
        callback(refused, null);
      } else {
        connect(options, callback);
      }
    },
  });
}

function refusal(
  host: string,
  addresses: readonly LookupAddress[],
  isAllowed: (address: string) => boolean,
): Error | null {
  const refused = addresses.find(({ address }) => !isAllowed(address));
  return refused
    ? new Error(`${host} has the address ${refused.address}, which isn't public.`)
    : null;
}

async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    if (length > maxBytes) {
      throw new Error(`The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function nameOf({ url, headers }: { url: string; headers: { get(name: string): string | null } }) {
  const disposition = /filename="?([^";]+)/i.exec(headers.get("content-disposition") ?? "");
  const segment = new URL(url).pathname.split("/").at(-1);
  try {
    return disposition?.[1] ?? (decodeURIComponent(segment ?? "") || null);
  } catch {
    return segment ?? null;
  }
}

/** fetch hides the reason in the cause. */
function reasonOf(thrown: unknown): string {
  const { message, cause, name } = thrown as Error;
  if (name === "TimeoutError") {
    return `The server took longer than ${TIMEOUT_MS / 1000} seconds.`;
  }
  return cause instanceof Error && cause.message ? cause.message : message;
}
