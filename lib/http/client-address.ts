/**
 * Who asks, for a limit on those who have not signed in: the first address a proxy, or Next itself, noted.
 * A proxy that keeps what a client wrote there lets it choose, so nothing but a limit may depend on it.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(",")[0]?.trim().slice(0, LONGEST_ADDRESS) || "unknown";
}

/** An IPv6 address with a zone; the header is the client's to write. */
const LONGEST_ADDRESS = 64;
