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

/** What the product's statements bind their rows to an account with, and what is left of each. */
const PREDICATES: [predicate: RegExp, rest: string][] = [
  [/\b(?:\w+\.)?(?:account|member)_id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [/\ba\.id = (\$\d+)/g, "($1::text IS NULL OR true)"],
  [
    /\b(?:\w+\.)?collection_id(?: \|\| '')? = ANY\((\$\d+)(?:::text\[\])?\)/g,
    "($1::text[] IS NULL OR true)",
  ],
];
const COLUMNS = ["accountId", "collectionId"];
/** Who asks is found out before, and by the cookie's two ids together. */
const GATES = ["auth_session"];

/**
 * Runs `work` in a build whose statements lack every predicate that names an account or its collections, those of
 * Prisma included. Returns its result, and the names of what was asked without one.
 */
export async function withoutPredicates<T>(
  work: () => Promise<T>,
): Promise<{ result: T; bared: ReadonlySet<string> }> {
  db();
  const whole = drivers.requests;
  if (!whole) {
    throw new Error("no database is open");
  }
  const bared = new Set<string>();
  drivers.requests = bareDriver(whole, bared);
  try {
    return { result: await work(), bared };
  } finally {
    drivers.requests = whole;
  }
}

function bareDriver(whole: Driver, bared: Set<string>): Driver {
  const bare = (...statement: Parameters<Query>) => bareStatement(statement, bared);
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
          query(bareArguments(args, () => bared.add(`${model}.${operation}`))),
      },
    }) as unknown as PrismaClient,
  };
}

function bareStatement(
  [name, text, values]: Parameters<Query>,
  bared: Set<string>,
): Parameters<Query> {
  const rest = PREDICATES.reduce(
    (left, [predicate, with_]) => left.replace(predicate, with_),
    text,
  );
  if (rest === text || GATES.includes(name)) {
    return [name, text, values];
  }
  bared.add(name);
  return [`${name}_bare`, rest, values];
}

function bareArguments<Args>(args: Args, onBared: () => void): Args {
  const { where } = (args ?? {}) as { where?: Record<string, unknown> };
  if (!where || !COLUMNS.some((column) => column in where)) {
    return args;
  }
  onBared();
  const rest = Object.entries(where).filter(([column]) => !COLUMNS.includes(column));
  return { ...args, where: Object.fromEntries(rest) };
}
