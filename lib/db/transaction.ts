import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { log } from "@/lib/log";
import { isDatabaseUnavailable } from "./unavailable";

/** Runs statements that the server is told to cancel when the signal ends. */
export async function withCancellation<T>(
  pool: pg.Pool,
  { signal, cancelling }: { signal: AbortSignal; cancelling: pg.Pool },
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await connect(pool);
  const { processID } = client as pg.PoolClient & { processID: number };
  let isSpent = false;
  const cancel = () => {
    isSpent = true;
    cancelling
      .query("SELECT pg_cancel_backend($1)", [processID])
      .catch((cause: unknown) => log.error({ err: cause }, "a statement could not be cancelled"));
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
    // After a cancellation the connection is thrown away: a late one would hit its next statement.
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
    // A connection that cannot even roll back is thrown away with its transaction.
    await client.query("ROLLBACK").then(
      () => release(client),
      (broken: Error) => release(client, broken),
    );
    throw cause;
  }
}

/** A connection in hand that breaks ends its statements with errors; unheard, it would end the process too. */
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

/** What a server says of a transaction that another one crossed: serialization_failure, deadlock_detected. */
const RETRYABLE_CODES = new Set(["40001", "40P01"]);
const TRANSACTION_TRIES = 5;
const RETRY_MS = 20;

/** Runs a transaction again from its start when another one crossed it. */
export async function retryOnSerializationFailure<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (thrown) {
      const isCrossed =
        thrown instanceof pg.DatabaseError && RETRYABLE_CODES.has(thrown.code ?? "");
      if (!isCrossed || attempt === TRANSACTION_TRIES) {
        throw thrown;
      }
      await sleep(RETRY_MS * attempt * (1 + Math.random()));
    }
  }
}
