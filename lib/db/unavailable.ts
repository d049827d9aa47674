/** How PostgreSQL says that it is away, full, or has given a statement up; 57014 is its own time limit. */
const AWAY_STATES = /^(08\w{3}|57P0[1-5]|53300|57014|55P03)$/;
const AWAY_SOCKETS = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** Prisma: not reachable, timed out, connection closed, too many connections. */
const AWAY_PRISMA = /^P(1001|1002|1008|1017|2024|2037)$/;
/** What `pg` and its pool throw without a code. */
const AWAY_MESSAGES =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;
const DEEPEST_CAUSE = 5;

/** Whether a statement failed because the database did not answer, and not for what was asked of it. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  let cause = thrown;
  for (let depth = 0; depth < DEEPEST_CAUSE && cause instanceof Error; depth += 1) {
    const code = "code" in cause ? String(cause.code) : "";
    if ([AWAY_STATES, AWAY_SOCKETS, AWAY_PRISMA].some((away) => away.test(code))) {
      return true;
    }
    if (AWAY_MESSAGES.test(cause.message)) {
      return true;
    }
    cause = cause.cause;
  }
  return false;
}
