import "server-only";

import { processSingleton } from "@/lib/singleton";
import type { FoundKey } from "./read";

/** About a kilobyte each. Beyond it, the one added longest ago is forgotten. */
const MAX_KEYS = 10_000;

const recent = processSingleton("recent keys", () => new Map<string, FoundKey>());

/** A key as this process last found it, by the hash of its secret. It may have changed or been revoked since. */
export function recallKey(hash: Uint8Array): FoundKey | null {
  return recent.get(nameOf(hash)) ?? null;
}

export function rememberKey(hash: Uint8Array, found: FoundKey): void {
  const name = nameOf(hash);
  recent.delete(name);
  recent.set(name, found);
  if (recent.size > MAX_KEYS) {
    recent.delete(recent.keys().next().value ?? "");
  }
}

export function forgetKey(hash: Uint8Array): void {
  recent.delete(nameOf(hash));
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer).toString("base64");
}
