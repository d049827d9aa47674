import { appendFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { until } from "../faults/product";
import { freePort } from "../product";
import type { Debian, Program } from "./programs";
import { commandOf, PASSWORD, readConfig } from "./topology";

const PROMOTION_MS = 30_000;

/** A PostgreSQL server of the pair. */
export interface DatabaseServer extends Program {
  url: string;
  folder: string;
  promote(): Promise<void>;
}

/**
 * A primary and its synchronous standby. `primaryFolder` is the primary's data folder inside Debian's root, which may be
 * a file system of its own.
 */
export async function startPair(
  debian: Debian,
  primaryFolder: string,
): Promise<{
  primary: DatabaseServer;
  standby: DatabaseServer;
  restart(server: DatabaseServer): Promise<DatabaseServer>;
}> {
  for (const script of ["primary.sh", "standby.sh"]) {
    writeFileSync(debian.outside(script), readConfig(script));
  }
  const primary = await startPrimary(debian, primaryFolder);
  const folder = `${debian.folder}/standby`;
  const standby = await startServer(
    debian,
    { folder, port: await freePort() },
    { PRIMARY_HOST: "127.0.0.1", PRIMARY_PORT: String(primary.port) },
  );
  const admin = new pg.Client(primary.url);
  await admin.connect();
  await until("a synchronous standby", PROMOTION_MS, async () => {
    const { rows } = await admin.query("SELECT sync_state FROM pg_stat_replication");
    return rows[0]?.sync_state === "sync";
  });
  await admin.end();
  return { primary, standby, restart: (server) => startServer(debian, server) };
}

/** Initialized as the image's own script does it, which then runs primary.sh. */
async function startPrimary(debian: Debian, folder: string): Promise<DatabaseServer> {
  writeFileSync(debian.outside("password"), PASSWORD);
  debian.run("initdb", [
    ...["-D", folder, "--username=footnote", `--pwfile=${debian.folder}/password`],
    ...["--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8"],
  ]);
  appendFileSync(`${debian.root}${folder}/pg_hba.conf`, "host all all all scram-sha-256\n");
  const server = await startServer(debian, { folder, port: await freePort() });
  const env = {
    ...{ PGHOST: "127.0.0.1", PGPORT: String(server.port), PGDATA: folder, PGPASSWORD: PASSWORD },
    ...{ POSTGRES_USER: "footnote", POSTGRES_PASSWORD: PASSWORD, POSTGRES_DB: "footnote" },
  };
  debian.run("createdb", ["--username=footnote", "footnote"], env);
  debian.run("sh", [`${debian.folder}/primary.sh`], env);
  const reload = ["--username=footnote", "-c", "SELECT pg_reload_conf()", "footnote"];
  debian.run("psql", reload, env);
  return server;
}

/** A server with the command of compose.scale.yaml, which becomes a standby if it has a primary to copy and no data. */
async function startServer(
  debian: Debian,
  { folder, port }: { folder: string; port: number },
  primary?: Record<"PRIMARY_HOST" | "PRIMARY_PORT", string>,
): Promise<DatabaseServer> {
  debian.run("rm", ["-f", `${folder}/postmaster.pid`]);
  const command = [
    ...commandOf("db-1", { POSTGRES_SHARED_BUFFERS: "256MB" }),
    // No socket and no /dev/shm: the root has neither mounts nor a name outside itself.
    ...["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    ...["-c", "dynamic_shared_memory_type=mmap", "-c", "max_wal_size=256MB"],
  ];
  const program = await debian.start(
    `postgres-${port}`,
    port,
    primary ? ["sh", `${debian.folder}/standby.sh`, ...command] : command,
    { PGDATA: folder, POSTGRES_PASSWORD: PASSWORD, ...primary },
  );
  const url = `postgres://footnote:${PASSWORD}@127.0.0.1:${port}/footnote`;
  await until(`the database on port ${port}`, PROMOTION_MS, () =>
    asks(url.replace(/footnote$/, "postgres"), "SELECT 1"),
  );
  return {
    ...program,
    url,
    folder,
    promote: async () => {
      debian.run("pg_ctl", ["promote", "-D", folder, "-W"]);
      await until("the promotion", PROMOTION_MS, () =>
        asks(url, "SELECT 1 WHERE NOT pg_is_in_recovery()"),
      );
    },
  };
}

async function asks(url: string, text: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows.length > 0;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
