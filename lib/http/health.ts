import "server-only";

import { queryWithin } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { isDraining } from "@/lib/http/shutdown";

/** Shorter than a load balancer's own timeout. */
const TIMEOUT_MS = 2000;

/** Throws service_unavailable while the process is draining or the database is unavailable. */
export async function getHealth(): Promise<{ status: "ok" }> {
  if (isDraining()) {
    throw new AppError("service_unavailable", "The server is shutting down. Use another one.", {
      headers: { "retry-after": "1" },
      details: { status: "draining" },
    });
  }
  await queryWithin(TIMEOUT_MS, "health", "SELECT 1 AS ok");
  return { status: "ok" };
}
