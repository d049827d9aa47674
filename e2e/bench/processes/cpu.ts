import { Redis } from "ioredis";
import pg from "pg";
import { nameOf, parentOf } from "../shared/cpu";

/** The first process of the server, all of whose others it started; 0 when it is on another machine. */
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

/** The process of the Redis or Valkey server; 0 when it is on another machine. */
export async function redisProcess(url: string): Promise<number> {
  const client = new Redis(url);
  try {
    const pid = Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
    return /redis|valkey/.test(nameOf(pid)) ? pid : 0;
  } finally {
    client.disconnect();
  }
}
