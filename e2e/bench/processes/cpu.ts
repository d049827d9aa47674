import { Redis } from "ioredis";
import pg from "pg";
import { nameOf, parentOf } from "../shared/cpu";

/** PostgreSQL's main process; 0 if it runs on another machine. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const pid = rows[0]?.pid ?? 0;
    return nameOf(pid).includes("postgres") ? parentOf(pid) : 0;
  } finally {
    await client.end();
  }
}

/** The Redis or Valkey process; 0 if it runs on another machine. */
export async function redisProcess(url: string): Promise<number> {
  const client = new Redis(url);
  try {
    const pid = Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
    return /redis|valkey/.test(nameOf(pid)) ? pid : 0;
  } finally {
    client.disconnect();
  }
}
