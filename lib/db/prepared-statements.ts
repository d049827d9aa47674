import "server-only";

/** The server stores each per connection. Only statements with lists of any length could exceed this. */
const MAX_STATEMENTS = 200;

/**
 * Names Prisma's statements by their text, so that each connection prepares them once: row-level security makes
 * planning more expensive. Statements after the first 200 texts stay unnamed.
 */
export function createStatementNamer(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (!names.has(sql) && names.size < MAX_STATEMENTS) {
      names.set(sql, `prisma_${names.size}`);
    }
    return names.get(sql) ?? "";
  };
}
