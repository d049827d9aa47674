import type { PrismaClient } from "@/lib/generated/prisma/client";
import type { Query, Transaction } from "@/lib/platform/db/client";
import { db } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";

interface Driver {
  query: Query;
  queryUntil(signal: AbortSignal, ...statement: Parameters<Query>): ReturnType<Query>;
  queryWithin(timeoutMs: number, ...statement: Parameters<Query>): ReturnType<Query>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  prisma: PrismaClient;
}

const drivers = processSingleton("database drivers", (): { requests?: Driver } => ({}));

/** The predicates that bind rows to an account, and the always-true condition that replaces each. */
const PREDICATES: [predicate: RegExp, rest: string][] = [
  [/\b(?:\w+\.)?(?:account|member)_id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [/\ba\.id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [
    /\b(?:\w+\.)?collection_id(?: \|\| '')? = ANY\((\$\d+)(?:::text\[\])?\)/g,
    "($1::text[] IS NULL OR true)",
  ],
];
const COLUMNS = ["accountId", "collectionId"];
/** Runs before the caller's account is known, and matches both ids from the cookie. */
const GATES = ["auth_session"];

/**
 * Runs `work` with every predicate on an account or its collections removed from SQL statements and Prisma calls.
 * Returns the result and the names of the statements that lost a predicate.
 */
export async function withoutPredicates<T>(
  work: () => Promise<T>,
): Promise<{ result: T; stripped: ReadonlySet<string> }> {
  db();
  const original = drivers.requests;
  if (!original) {
    throw new Error("no database is open");
  }
  const stripped = new Set<string>();
  drivers.requests = stripDriver(original, stripped);
  try {
    return { result: await work(), stripped };
  } finally {
    drivers.requests = original;
  }
}

function stripDriver(original: Driver, stripped: Set<string>): Driver {
  const strip = (...statement: Parameters<Query>) => stripStatement(statement, stripped);
  const { prisma } = original;
  return {
    ...original,
    query: ((...statement) => original.query(...strip(...statement))) as Query,
    queryUntil: (signal, ...statement) => original.queryUntil(signal, ...strip(...statement)),
    queryWithin: (timeoutMs, ...statement) =>
      original.queryWithin(timeoutMs, ...strip(...statement)),
    transaction: (work) =>
      original.transaction((tx) =>
        work({ ...tx, query: ((...statement) => tx.query(...strip(...statement))) as Query }),
      ),
    prisma: prisma.$extends({
      query: {
        $allOperations: ({ model, operation, args, query }) =>
          query(stripArguments(args, () => stripped.add(`${model}.${operation}`))),
      },
    }) as unknown as PrismaClient,
  };
}

function stripStatement(
  [name, text, values]: Parameters<Query>,
  stripped: Set<string>,
): Parameters<Query> {
  const rest = PREDICATES.reduce(
    (left, [predicate, with_]) => left.replace(predicate, with_),
    text,
  );
  if (rest === text || GATES.includes(name)) {
    return [name, text, values];
  }
  stripped.add(name);
  return [`${name}_bare`, rest, values];
}

function stripArguments<Args>(args: Args, onStripped: () => void): Args {
  const { where } = (args ?? {}) as { where?: Record<string, unknown> };
  if (!where || !COLUMNS.some((column) => column in where)) {
    return args;
  }
  onStripped();
  const rest = Object.entries(where).filter(([column]) => !COLUMNS.includes(column));
  return { ...args, where: Object.fromEntries(rest) };
}
