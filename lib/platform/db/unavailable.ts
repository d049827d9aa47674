/**
 * Unreachable, out of disk, memory or connections, failing to read or write, read-only after a failover, shutting down, or
 * timed out (57014 is the statement timeout).
 */
const SQL_STATES = /^(08\w{3}|57P0[1-5]|53\w{3}|58030|25006|57014|55P03)$/;
const SOCKET_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** Unreachable, timed out, connection closed, too many connections. */
const PRISMA_CODES = /^P(1001|1002|1008|1017|2024|2037)$/;
/** Errors that `pg` and its pool throw without a code. */
const PG_MESSAGES =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;
const MAX_CAUSE_DEPTH = 5;

/** Whether a statement failed because the database is unavailable, not because of the statement. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  let cause = thrown;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && cause instanceof Error; depth += 1) {
    const code = "code" in cause ? String(cause.code) : "";
    const isKnownCode = [SQL_STATES, SOCKET_CODES, PRISMA_CODES].some((codes) => codes.test(code));
    if (isKnownCode || PG_MESSAGES.test(cause.message)) {
      return true;
    }
    cause = cause.cause;
  }
  return false;
}
