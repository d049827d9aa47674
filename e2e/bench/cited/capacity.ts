import type pg from "pg";
import { databaseCpu } from "../gateway/processes";
import type { BenchQuery } from "../search/queries";
import { cpuMsBetween } from "../shared/cpu";
import type { Build } from "./builds";

const CLIENTS = 16;

/** Requests per second that so many clients get, and what one costs. */
export async function measureCapacity(
  build: Build,
  queries: readonly BenchQuery[],
  { database, seconds }: { database: pg.Client; seconds: number },
) {
  const before = await sample(build, database);
  const startedAt = performance.now();
  let answered = 0;
  const ask = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      const query = queries[answered++ % queries.length];
      await (query && build.ask(query));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  const took = (performance.now() - startedAt) / 1000;
  const after = await sample(build, database);
  const each = (total: number) => Number((total / answered).toFixed(2));
  return {
    per_second: Math.round(answered / took),
    server_cpu_ms: each(cpuMsBetween(before.server, after.server)),
    database_cpu_ms: each(cpuMsBetween(before.database, after.database)),
    statements: each(after.statements - before.statements),
  };
}

async function sample(build: Build, database: pg.Client) {
  // Connections report their transactions after a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await database.query("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()");
  const { rows } = await database.query<{ statements: number }>(
    "SELECT (xact_commit + xact_rollback)::float8 AS statements FROM pg_stat_database WHERE datname = current_database()",
  );
  return {
    server: build.gateway.cpu(),
    database: await databaseCpu(database),
    statements: rows[0]?.statements ?? 0,
  };
}
