import "server-only";

import { queryWithin } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { isDraining } from "@/lib/http/shutdown";

/** Below what a load balancer waits for. */
const TIMEOUT_MS = 2000;

/** Whether traffic may come. Throws service_unavailable when the process is to stop or the database is away. */
export async function getHealth(): Promise<{ status: "ok" }> {
  if (isDraining()) {
    throw new AppError("service_unavailable", "The server is being stopped. Use another one.", {
      headers: { "retry-after": "1" },
      details: { status: "draining" },
    });
  }
  await queryWithin(TIMEOUT_MS, "health", "SELECT 1 AS ok");
  return { status: "ok" };
}
