import { appendFileSync } from "node:fs";
import pg from "pg";
import { until } from "../faults/product";
import { freePort } from "../product";
import type { Debian, Program } from "./programs";

const PROMOTION_MS = 30_000;
const STANDBY = "standby";

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
  const ports = [await freePort(), await freePort()] as const;
  const standbyFolder = `${debian.folder}/standby`;
  debian.run("initdb", [
    "-D",
    primaryFolder,
    "-U",
    "postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  ]);
  configure(debian, primaryFolder);
  const first = await startServer(debian, primaryFolder, ports[0]);
  const admin = new pg.Client(first.url);
  await admin.connect();
  await admin.query("CREATE EXTENSION vector");
  await admin.query("CREATE DATABASE footnote");
  const source = `host=127.0.0.1 port=${ports[0]} user=postgres application_name=${STANDBY}`;
  debian.run("pg_basebackup", ["-D", standbyFolder, "-R", "-C", "-S", STANDBY, "-d", source]);
  const standby = await startServer(debian, standbyFolder, ports[1]);
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
  await admin.query("SELECT pg_reload_conf()");
  await until("a synchronous standby", PROMOTION_MS, async () => {
    const { rows } = await admin.query("SELECT sync_state FROM pg_stat_replication");
    return rows[0]?.sync_state === "sync";
  });
  await admin.end();
  return {
    primary: first,
    standby,
    restart: ({ folder, port }) => startServer(debian, folder, port),
  };
}

/** No socket and no /dev/shm: the root has neither mounts nor a name outside itself. */
function configure(debian: Debian, folder: string): void {
  const outside = `${debian.root}${folder}`;
  appendFileSync(
    `${outside}/postgresql.conf`,
    `listen_addresses = '127.0.0.1'
unix_socket_directories = ''
dynamic_shared_memory_type = mmap
max_connections = 200
shared_buffers = 256MB
synchronous_commit = on
max_wal_size = 256MB
client_connection_check_interval = 1s
restart_after_crash = on
`,
  );
  appendFileSync(`${outside}/pg_hba.conf`, "host replication all 127.0.0.1/32 trust\n");
}

async function startServer(debian: Debian, folder: string, port: number): Promise<DatabaseServer> {
  debian.run("rm", ["-f", `${folder}/postmaster.pid`]);
  const program = await debian.start(`postgres-${port}`, port, [
    "postgres",
    "-D",
    folder,
    "-p",
    String(port),
  ]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until(`the database on port ${port}`, PROMOTION_MS, () => asks(url, "SELECT 1"));
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
