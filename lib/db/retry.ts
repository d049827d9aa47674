import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

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
