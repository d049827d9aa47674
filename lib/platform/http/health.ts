import "server-only";

import { AppError } from "@/lib/errors";
import { queryWithin } from "@/lib/platform/db/client";
import { VERSION } from "@/lib/platform/env";
import { isDraining } from "@/lib/platform/http/shutdown";
import { processSingleton } from "@/lib/singleton";

/** Shorter than a load balancer's own timeout. */
const TIMEOUT_MS = 2000;

/** Whoever asks within this time gets the same result: strangers can ask as often as they like. */
const REUSE_MS = 1000;

const last = processSingleton("health check", () => ({
  at: Number.NEGATIVE_INFINITY,
  check: Promise.resolve({}),
}));

/** With the version and `details`. Throws service_unavailable while the process is draining or the database is unavailable. */
export async function getHealth(
  check = checkDatabase,
  details: () => Promise<object> = async () => ({}),
): Promise<{ status: "ok"; version: string }> {
  if (isDraining()) {
    throw new AppError("service_unavailable", "The server is shutting down. Use another one.", {
      headers: { "retry-after": "1" },
      details: { status: "draining" },
    });
  }
  const now = performance.now();
  if (now - last.at >= REUSE_MS) {
    last.at = now;
    last.check = check().then(details);
  }
  return { status: "ok", version: VERSION, ...(await last.check) };
}

export async function checkDatabase(): Promise<void> {
  await queryWithin(TIMEOUT_MS, "health", "SELECT 1 AS ok");
}
