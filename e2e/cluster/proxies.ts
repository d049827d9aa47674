import { writeFileSync } from "node:fs";
import { freePort } from "../product";
import type { DatabaseServer } from "./database";
import type { Debian, Program } from "./programs";

/** The settings that the product makes itself on connections of its own: see docs/self-hosting.md. */
const SESSION_SETTINGS =
  "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order; SET jit = off; SET statement_timeout = 10000";

/** The protocol's messages for "is this server the primary?", as `tcp-check` sends and expects them. */
const ROLE_CHECK = [
  // StartupMessage 3.0 for user and database postgres, then AuthenticationOk and ReadyForQuery.
  `tcp-check send-binary ${startupMessage()}`,
  "tcp-check expect binary 5a0000000549",
  `tcp-check send-binary ${queryMessage("SELECT pg_is_in_recovery()")}`,
  // A row of one column of one byte: f.
  "tcp-check expect binary 440000000b00010000000166",
];

/** HAProxy: whichever database server is the primary, and the product's processes that report themselves healthy. */
export async function startHaproxy(
  debian: Debian,
  databases: readonly DatabaseServer[],
  serverPorts: readonly number[],
): Promise<{ databasePort: number; httpPort: number; program: Program }> {
  const [databasePort, httpPort] = [await freePort(), await freePort()];
  const config = `global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen database
  mode tcp
  bind 127.0.0.1:${databasePort}
  option tcp-check
  ${ROLE_CHECK.join("\n  ")}
  default-server inter 500 fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(({ port }, index) => `  server database${index} 127.0.0.1:${port} check`).join("\n")}
frontend http
  mode http
  bind 127.0.0.1:${httpPort}
  use_backend healthy if { nbsrv(healthy) gt 0 }
  # None is healthy while they all wait for the database: each says so in words of the API.
  default_backend any
backend healthy
  mode http
  option httpchk GET /api/health
  option redispatch 1
  retries 2
  default-server inter 500 fall 2 rise 1
${serversOf(serverPorts, "check")}
backend any
  mode http
  option redispatch 1
  retries 2
${serversOf(serverPorts, "")}
`;
  writeFileSync(debian.outside("haproxy.cfg"), config);
  const program = await debian.start("haproxy", httpPort, [
    ...["haproxy", "-db", "-f", `${debian.folder}/haproxy.cfg`],
  ]);
  return { databasePort, httpPort, program };
}

function serversOf(ports: readonly number[], options: string): string {
  return ports
    .map((port, index) => `  server product${index} 127.0.0.1:${port} ${options}`)
    .join("\n");
}

/** PgBouncer in transaction mode. `restart` keeps its port. */
export async function startPgbouncer(
  debian: Debian,
  databasePort: number,
): Promise<{ program: Program; restart(): Promise<Program> }> {
  const port = await freePort();
  const config = `[databases]
footnote = host=127.0.0.1 port=${databasePort} dbname=footnote user=postgres connect_query='${SESSION_SETTINGS}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_prepared_statements = 1000
max_client_conn = 500
default_pool_size = 30
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
ignore_startup_parameters = extra_float_digits
`;
  writeFileSync(debian.outside("pgbouncer.ini"), config);
  const start = () =>
    debian.start("pgbouncer", port, ["pgbouncer", `${debian.folder}/pgbouncer.ini`]);
  return { program: await start(), restart: start };
}

/** Valkey, without a file. */
export async function startValkey(
  debian: Debian,
): Promise<{ program: Program; restart(): Promise<Program> }> {
  const port = await freePort();
  const args = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const start = () => debian.start("valkey", port, ["valkey-server", ...args]);
  return { program: await start(), restart: start };
}

function startupMessage(): string {
  const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0");
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]).toString("hex");
}

function queryMessage(text: string): string {
  const query = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write("Q");
  head.writeInt32BE(4 + query.length, 1);
  return Buffer.concat([head, query]).toString("hex");
}
