import "server-only";

import { countOpenHolds } from "@/lib/billing/read/balance";
import { poolFigures } from "@/lib/db/client";
import { countOpenJobs } from "@/lib/documents/read/jobs";

/** The connections of this process; null on the embedded database. */
export function getPoolStats(): ReturnType<typeof poolFigures> {
  return poolFigures();
}

/** Open jobs and holds in the database, across all processes. */
export async function countOpenWork() {
  const [jobs, holds] = await Promise.all([countOpenJobs(), countOpenHolds()]);
  return { ...jobs, holds };
}
