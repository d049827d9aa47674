import "server-only";

import { query } from "@/lib/db";

/** Answers when the database does; throws when it does not. */
export async function getHealth(): Promise<{ status: "ok" }> {
  await query("health", "SELECT 1 AS ok");
  return { status: "ok" };
}
