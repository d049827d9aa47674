import "server-only";
import pRetry from "p-retry";
import pg from "pg";
import { log } from "@/lib/log";
import { isDatabaseUnavailable } from "./unavailable";

/** Runs statements that are cancelled on the server when the signal aborts. */
export async function withCancellation<T>(
  pool: pg.Pool,
  { signal, cancelPool }: { signal: AbortSignal; cancelPool: pg.Pool },
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await connect(pool);
  const { processID } = client as pg.PoolClient & { processID: number };
  let isSpent = false;
  const cancel = () => {
    isSpent = true;
    cancelPool
      .query("SELECT pg_cancel_backend($1)", [processID])
      .catch((cause: unknown) => log.error({ err: cause }, "cancelling a statement failed"));
  };
  try {
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    return await run(client);
  } catch (cause) {
    isSpent ||= isDatabaseUnavailable(cause);
    throw cause;
  } finally {
    signal.removeEventListener("abort", cancel);
    // A late cancellation would hit the connection's next statement, so it isn't reused.
    release(client, isSpent);
  }
}

/** Runs `work` between BEGIN and COMMIT. */
export async function withTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    release(client);
    return result;
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) {
      release(client, true);
      throw cause;
    }
    // A connection that can't roll back isn't reused.
    await client.query("ROLLBACK").then(
      () => release(client),
      (broken: Error) => release(client, broken),
    );
    throw cause;
  }
}

/** Without a listener, a checked-out connection that breaks would crash the process. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  client.on("error", logConnectionError);
  return client;
}

function release(client: pg.PoolClient, isBroken?: boolean | Error): void {
  client.off("error", logConnectionError);
  client.release(isBroken);
}

function logConnectionError(cause: Error): void {
  log.error({ err: cause }, "database connection failed");
}

/** serialization_failure, deadlock_detected */
const RETRYABLE_CODES = new Set(["40001", "40P01"]);

export function retryOnSerializationFailure<T>(run: () => Promise<T>): Promise<T> {
  return pRetry(run, {
    retries: 4,
    minTimeout: 20,
    randomize: true,
    shouldRetry: ({ error }) =>
      error instanceof pg.DatabaseError && RETRYABLE_CODES.has(error.code ?? ""),
  });
}
