import "server-only";

import { poolFigures, query } from "@/lib/db/client";

/** What the database has open, for all processes together. */
export interface OpenWork extends Record<string, unknown> {
  queued: number;
  processing: number;
  holds: number;
}

/** The connections of this process; null on the embedded database. */
export function getPoolStats(): ReturnType<typeof poolFigures> {
  return poolFigures();
}

export async function countOpenWork(): Promise<OpenWork | null> {
  const [row] = await query<OpenWork>(
    "telemetry_open_work",
    `SELECT (SELECT count(*) FROM job WHERE status = 'queued')::int AS queued,
            (SELECT count(*) FROM job WHERE status = 'processing')::int AS processing,
            (SELECT count(*) FROM hold WHERE status = 'open')::int AS holds`,
  );
  return row ?? null;
}
