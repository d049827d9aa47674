import "server-only";

import type { Socket } from "node:net";
import pRetry from "p-retry";
import pg from "pg";
import { log } from "@/lib/platform/log";
import { isDatabaseUnavailable } from "./unavailable";

const CANCEL_LIMIT_MS = 5000;

/** Runs statements that are canceled on the server when the signal aborts. */
export async function withCancellation<T>(
  pool: pg.Pool,
  signal: AbortSignal,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await connect(pool);
  let isSpent = false;
  const cancel = () => {
    isSpent = true;
    requestCancel(client);
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

/** What pg's types leave out. */
type Cancellable = pg.Client & { processID: number; secretKey: number };
type CancelConnection = pg.Connection & {
  stream: Socket;
  connect(portOrSocket: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
};

/**
 * Sends the protocol's own request on a connection of its own: it needs none of the pool's, and goes through poolers,
 * whose process ids aren't the server's.
 */
function requestCancel(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Cancellable;
  const connection = new pg.Connection() as CancelConnection;
  connection.on("error", (cause) => log.error({ err: cause }, "canceling a statement failed"));
  connection.stream.setTimeout(CANCEL_LIMIT_MS, () => connection.stream.destroy());
  connection.on("connect", () => connection.cancel(processID, secretKey));
  if (host.startsWith("/")) {
    connection.connect(`${host}/.s.PGSQL.${port}`);
  } else {
    connection.connect(port, host);
  }
}

/** Runs `work` between BEGIN and COMMIT. */
export function withTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  });
}

/** Runs `work` on one connection. If it fails, the transaction that it left open, if any, is rolled back. */
export async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool);
  try {
    const result = await work(client);
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
