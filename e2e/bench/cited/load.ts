import pg from "pg";
import { databaseCpu } from "../gateway/processes";
import type { BenchQuery } from "../search/queries";
import { cpuMsBetween } from "../shared/cpu";
import type { Build } from "./builds";

const CLIENTS = 16;

/** What so many clients got in one round, and what it cost in all. */
export interface Load {
  answered: number;
  seconds: number;
  serverCpuMs: number;
  databaseCpuMs: number;
  statements: number;
}

export async function measureLoad(
  build: Build,
  queries: readonly BenchQuery[],
  seconds: number,
): Promise<Load> {
  const database = new pg.Client(build.databaseUrl);
  await database.connect();
  try {
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
    return {
      answered,
      seconds: took,
      serverCpuMs: cpuMsBetween(before.server, after.server),
      databaseCpuMs: cpuMsBetween(before.database, after.database),
      statements: after.statements - before.statements,
    };
  } finally {
    await database.end();
  }
}

/** Per request, over all rounds. */
export function summarize(loads: readonly Load[]) {
  const sum = (name: keyof Load) => loads.reduce((total, load) => total + load[name], 0);
  const each = (name: keyof Load) => Number((sum(name) / sum("answered")).toFixed(2));
  return {
    per_second: Math.round(sum("answered") / sum("seconds")),
    server_cpu_ms: each("serverCpuMs"),
    database_cpu_ms: each("databaseCpuMs"),
    statements: each("statements"),
  };
}

/** Transactions are statements, for none of a request's is in an explicit one. */
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
