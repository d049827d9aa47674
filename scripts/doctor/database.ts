import pg from "pg";
import { execute } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { listPendingMigrations } from "@/lib/platform/queue/read";
import { checkSeparation } from "./embedding";
import type { Finding } from "./settings";

const FACTS = `SELECT current_setting('server_version_num')::int AS version,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('fsync') AS fsync,
       (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS is_superuser,
       extract(epoch FROM clock_timestamp())::float AS now`;
const MIN_VERSION = 150_000;
const MAX_CLOCK_SKEW_SECONDS = 30;

interface Facts {
  version: number;
  vector: string | null;
  synchronous_commit: string;
  fsync: string;
  is_superuser: boolean;
  now: number;
}

/**
 * What is unsafe about the database that DATABASE_URL names, and whether searches use its vectors of an embedding
 * model's space. Throws when it can't be reached.
 */
export async function checkDatabase(space: string | null): Promise<Finding[]> {
  const { rows } = await execute(FACTS);
  const facts = rows[0] as unknown as Facts;
  const pending = await listPendingMigrations();
  const skewSeconds = Math.abs(Date.now() / 1000 - facts.now);
  const found: [boolean, Finding["level"], string][] = [
    [
      facts.version < MIN_VERSION,
      "unsafe",
      "PostgreSQL is older than 15, which Footnote isn't tested on.",
    ],
    [
      facts.vector === null && pending.length === 0,
      "unsafe",
      "The extension pgvector isn't installed.",
    ],
    [
      facts.fsync !== "on",
      "unsafe",
      "fsync is off: if its machine crashes, the ledger can be lost or damaged.",
    ],
    [
      facts.synchronous_commit === "off",
      "unsafe",
      "synchronous_commit is off for the role: a crash can lose confirmed payments.",
    ],
    [
      facts.is_superuser,
      "advice",
      "Footnote connects as a superuser. Give it its own role, which owns only its database.",
    ],
    [
      pending.length > 0,
      "advice",
      `${pending.length} migrations of this version are pending. The next start applies them.`,
    ],
    [
      skewSeconds > MAX_CLOCK_SKEW_SECONDS,
      "unsafe",
      `Its clock and this machine's differ by ${Math.round(skewSeconds)} s: leases and links end too early or late.`,
    ],
  ];
  return [
    ...found
      .filter(([applies]) => applies)
      .map(([, level, message]) => ({ level, about: "database", message })),
    ...(pending.length === 0 && space ? await checkSeparation(space) : []),
    ...(env.DATABASE_DIRECT_URL ? await checkPooler() : []),
  ];
}

const POOLED_SETTINGS = `SELECT current_setting('hnsw.iterative_scan', true) = 'relaxed_order' AS can_filter,
       current_setting('statement_timeout') <> '0' AS is_limited`;

/** Whether the pooler that DATABASE_URL names makes the settings of its connections. */
async function checkPooler(): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    connectionTimeoutMillis: 5000,
  });
  await client.connect();
  try {
    const { rows } = await client.query(POOLED_SETTINGS);
    return rows[0]?.can_filter && rows[0]?.is_limited
      ? []
      : [
          {
            level: "unsafe",
            about: "DATABASE_URL",
            message:
              "The pooler doesn't apply the settings that searches and time limits need. See connect_query in docs/self-hosting.md#connection-poolers.",
          },
        ];
  } finally {
    await client.end();
  }
}
