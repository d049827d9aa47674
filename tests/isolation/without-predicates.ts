import type { Query, Transaction } from "@/lib/db/client";
import { db } from "@/lib/db/client";
import type { PrismaClient } from "@/lib/generated/prisma/client";
import { processSingleton } from "@/lib/singleton";

interface Driver {
  query: Query;
  queryUntil(signal: AbortSignal, ...statement: Parameters<Query>): ReturnType<Query>;
  queryWithin(timeoutMs: number, ...statement: Parameters<Query>): ReturnType<Query>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  prisma: PrismaClient;
}

const drivers = processSingleton("database drivers", (): { requests?: Driver } => ({}));

/** The predicates that restrict statements to an account, and their replacements. */
const PREDICATES: [predicate: RegExp, rest: string][] = [
  [/\b(?:\w+\.)?(?:account|member)_id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [/\ba\.id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [
    /\b(?:\w+\.)?collection_id(?: \|\| '')? = ANY\((\$\d+)(?:::text\[\])?\)/g,
    "($1::text[] IS NULL OR true)",
  ],
];
const COLUMNS = ["accountId", "collectionId"];
/** Statements that authenticate the caller, by both ids in the cookie. */
const GATES = ["auth_session"];

/**
 * Runs `work` with every account and collection predicate removed from the statements, including Prisma's.
 * Returns its result and the names of the affected statements.
 */
export async function withoutPredicates<T>(
  work: () => Promise<T>,
): Promise<{ result: T; affected: ReadonlySet<string> }> {
  db();
  const whole = drivers.requests;
  if (!whole) {
    throw new Error("no database is open");
  }
  const affected = new Set<string>();
  drivers.requests = stripDriver(whole, affected);
  try {
    return { result: await work(), affected };
  } finally {
    drivers.requests = whole;
  }
}

function stripDriver(whole: Driver, affected: Set<string>): Driver {
  const bare = (...statement: Parameters<Query>) => stripStatement(statement, affected);
  const { prisma } = whole;
  return {
    ...whole,
    query: ((...statement) => whole.query(...bare(...statement))) as Query,
    queryUntil: (signal, ...statement) => whole.queryUntil(signal, ...bare(...statement)),
    queryWithin: (timeoutMs, ...statement) => whole.queryWithin(timeoutMs, ...bare(...statement)),
    transaction: (work) =>
      whole.transaction((tx) =>
        work({ ...tx, query: ((...statement) => tx.query(...bare(...statement))) as Query }),
      ),
    prisma: prisma.$extends({
      query: {
        $allOperations: ({ model, operation, args, query }) =>
          query(stripArguments(args, () => affected.add(`${model}.${operation}`))),
      },
    }) as unknown as PrismaClient,
  };
}

function stripStatement(
  [name, text, values]: Parameters<Query>,
  affected: Set<string>,
): Parameters<Query> {
  const rest = PREDICATES.reduce(
    (left, [predicate, with_]) => left.replace(predicate, with_),
    text,
  );
  if (rest === text || GATES.includes(name)) {
    return [name, text, values];
  }
  affected.add(name);
  return [`${name}_bare`, rest, values];
}

function stripArguments<Args>(args: Args, onAffected: () => void): Args {
  const { where } = (args ?? {}) as { where?: Record<string, unknown> };
  if (!where || !COLUMNS.some((column) => column in where)) {
    return args;
  }
  onAffected();
  const rest = Object.entries(where).filter(([column]) => !COLUMNS.includes(column));
  return { ...args, where: Object.fromEntries(rest) };
}
