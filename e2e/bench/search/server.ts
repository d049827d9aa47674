import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const FOLDER = "/tmp/footnote-bench-postgres";
const PORT = "54331";

/** Usual settings for a server with 16 GB or more; recorded in the result with the versions. */
const SETTINGS: Record<string, string> = {
  shared_buffers: "4GB",
  maintenance_work_mem: "4GB",
  max_parallel_maintenance_workers: "2",
  max_wal_size: "16GB",
  checkpoint_timeout: "30min",
};
const SHOWN = [
  ...Object.keys(SETTINGS),
  "server_version",
  "work_mem",
  "effective_cache_size",
  "random_page_cost",
  "jit",
  "max_parallel_workers_per_gather",
];

/** The server to measure: FOOTNOTE_BENCH_DATABASE_URL, or a new one with settings for its size. */
export async function openServer(): Promise<string> {
  const { FOOTNOTE_BENCH_DATABASE_URL } = process.env;
  if (FOOTNOTE_BENCH_DATABASE_URL) {
    return FOOTNOTE_BENCH_DATABASE_URL;
  }
  const url = await script("start");
  const wanted = Object.entries(SETTINGS);
  const current = await settings(url);
  if (wanted.every(([name, value]) => current[name] === value)) {
    return url;
  }
  await onServer(url, async (client) => {
    for (const [name, value] of wanted) {
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
  });
  await script("stop");
  return script("start");
}

async function script(verb: "start" | "stop"): Promise<string> {
  const environment = { ...process.env, FOOTNOTE_POSTGRES_PORT: PORT };
  const { stdout } = await run("scripts/postgres.sh", [verb, FOLDER], { env: environment });
  return stdout.trim();
}

export async function settings(url: string): Promise<Record<string, string>> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      "SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS s(name)",
      [SHOWN],
    );
    const { rows: extensions } = await client.query<{ version: string }>(
      "SELECT default_version AS version FROM pg_available_extensions WHERE name = 'vector'",
    );
    return {
      ...Object.fromEntries(rows.map(({ name, value }) => [name, value])),
      pgvector: extensions[0]?.version ?? "none",
    };
  });
}

/** The URL of a database, recreated empty unless it exists and `keep` returns true. */
export async function openDatabase(
  serverUrl: string,
  name: string,
  keep: (databaseUrl: string) => Promise<boolean>,
): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const exists = await onServer(serverUrl, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    return rowCount === 1;
  });
  if (!(exists && (await keep(url.href)))) {
    await onServer(serverUrl, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}`);
    });
  }
  return url.href;
}

export async function onServer<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
