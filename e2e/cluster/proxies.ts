import { writeFileSync } from "node:fs";
import { freePort } from "../product";
import type { DatabaseServer } from "./database";
import type { Debian, Program } from "./programs";
import { commandOf, configWith, PASSWORD, readConfig } from "./topology";

type Restartable = { program: Program; restart(): Promise<Program> };

/** HAProxy: one address for whichever database server is the primary. */
export async function startDatabaseProxy(
  debian: Debian,
  databases: readonly DatabaseServer[],
): Promise<Program> {
  const port = await freePort();
  const servers = databases.map(({ port: of }, index) => [
    `db-${index + 1} db-${index + 1}:5432`,
    `db-${index + 1} 127.0.0.1:${of}`,
  ]);
  const config = configWith("haproxy.cfg", {
    "bind 0.0.0.0:5432": `bind 127.0.0.1:${port}`,
    ...Object.fromEntries(servers),
  });
  writeFileSync(debian.outside("haproxy.cfg"), config);
  return debian.start("haproxy", port, ["haproxy", "-db", "-f", `${debian.folder}/haproxy.cfg`]);
}

/** PgBouncer in transaction mode. `restart` keeps its port. */
export async function startPgbouncer(debian: Debian, databasePort: number): Promise<Restartable> {
  const port = await freePort();
  const users = `${debian.folder}/users.txt`;
  const config = configWith("pgbouncer.ini", {
    "host=database port=5432": `host=127.0.0.1 port=${databasePort}`,
    "listen_addr = 0.0.0.0": "listen_addr = 127.0.0.1",
    "listen_port = 6432": `listen_port = ${port}`,
    "/tmp/users.txt": users,
  });
  writeFileSync(debian.outside("users.txt"), `"footnote" "${PASSWORD}"`);
  writeFileSync(debian.outside("pgbouncer.ini"), config);
  const start = () =>
    debian.start("pgbouncer", port, ["pgbouncer", `${debian.folder}/pgbouncer.ini`]);
  return { program: await start(), restart: start };
}

/** Valkey, without a file. */
export async function startValkey(debian: Debian): Promise<Restartable> {
  const port = await freePort();
  const command = [...commandOf("valkey"), "--bind", "127.0.0.1", "--port", String(port)];
  const start = () => debian.start("valkey", port, command);
  return { program: await start(), restart: start };
}

/** Caddy, in front of the product's servers. */
export async function startCaddy(debian: Debian, serverPorts: readonly number[]): Promise<Program> {
  const port = await freePort();
  writeFileSync(debian.outside("Caddyfile"), readConfig("Caddyfile"));
  const command = ["caddy", "run", "--config", `${debian.folder}/Caddyfile`];
  return debian.start("caddy", port, [...command, "--adapter", "caddyfile"], {
    SITE_ADDRESS: `http://127.0.0.1:${port}`,
    SERVERS: serverPorts.map((each) => `127.0.0.1:${each}`).join(" "),
  });
}
