import "server-only";

/** A server keeps each with its plans for each connection; the product has far fewer, but for lists of any length. */
const MOST = 200;

/**
 * Names Prisma's statements by their texts, so that a connection prepares each once and a server need not plan it
 * each time, which row-level security makes dearer. What comes after the first 200 texts stays without a name.
 */
export function createStatementNamer(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) {
      return known;
    }
    if (names.size === MOST) {
      return "";
    }
    const name = `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
