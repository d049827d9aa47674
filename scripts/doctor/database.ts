import pg from "pg";
import { execute } from "@/lib/platform/db/client";
import { isRowSecurityOn } from "@/lib/platform/db/row-security";
import { env } from "@/lib/platform/env";
import { type MigrationState, readMigrationState } from "@/lib/platform/queue/read";
import { checkSeparation } from "./embedding";
import type { Finding } from "./settings";

const FACTS = `SELECT current_setting('server_version_num')::int AS version,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('fsync') AS fsync,
       r.rolsuper AS is_superuser,
       current_setting('synchronous_standby_names') <> '' AND NOT EXISTS (SELECT FROM pg_stat_replication) AS lacks_standby,
       extract(epoch FROM clock_timestamp())::float AS now
  FROM pg_roles r WHERE r.rolname = session_user`;
const MIN_VERSION = 150_000;
const MAX_CLOCK_SKEW_SECONDS = 30;

interface Facts {
  version: number;
  vector: string | null;
  synchronous_commit: string;
  fsync: string;
  is_superuser: boolean;
  lacks_standby: boolean;
  now: number;
}

type Check = [applies: boolean, level: Finding["level"], message: string];

/**
 * What is unsafe about the database that DATABASE_URL names, and whether searches use its vectors of an embedding
 * model's space. Throws when it can't be reached.
 */
export async function checkDatabase(space: string | null): Promise<Finding[]> {
  const { rows } = await execute(FACTS);
  const facts = rows[0] as unknown as Facts;
  const migrations = await readMigrationState();
  const isSetUp = migrations.pending.length === 0;
  const isOpen = isSetUp && env.ROW_SECURITY && !(await isRowSecurityOn(execute));
  return [
    ...[...serverChecks(facts), ...setupChecks(facts, migrations, isOpen)]
      .filter(([applies]) => applies)
      .map(([, level, message]) => ({ level, about: "database", message })),
    ...(isSetUp && space ? await checkSeparation(space) : []),
    ...(env.DATABASE_DIRECT_URL ? await checkPooler() : []),
  ];
}

function serverChecks(facts: Facts): Check[] {
  const skewSeconds = Math.abs(Date.now() / 1000 - facts.now);
  return [
    [
      facts.version < MIN_VERSION,
      "unsafe",
      "PostgreSQL is older than 15, which Footnote isn't tested on.",
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
      facts.lacks_standby,
      "unsafe",
      "synchronous_standby_names is set, but no standby is connected, so every commit waits. Reconnect the standby, or clear the setting.",
    ],
    [
      facts.is_superuser,
      "advice",
      "Footnote connects as a superuser. Give it its own role, which owns only its database.",
    ],
    [
      skewSeconds > MAX_CLOCK_SKEW_SECONDS,
      "unsafe",
      `Its clock and this machine's differ by ${Math.round(skewSeconds)} s: leases and links end too early or late.`,
    ],
  ];
}

function setupChecks(
  { vector }: Facts,
  { pending, unknown }: MigrationState,
  isOpen: boolean,
): Check[] {
  return [
    [
      vector === null,
      pending.length === 0 ? "unsafe" : "advice",
      "pgvector isn't installed in this database. If the first start can't create it, run as an administrator: CREATE EXTENSION vector;",
    ],
    [
      isOpen,
      "unsafe",
      "Row-level security is off, although ROW_SECURITY is on. As an administrator, run: CREATE ROLE footnote_tenant NOLOGIN; GRANT footnote_tenant TO <this user>; then start again.",
    ],
    [
      unknown.length > 0,
      "unsafe",
      `Another version has changed it (${unknown.join(", ")}), so this one refuses to start.`,
    ],
    [
      pending.length > 0,
      "advice",
      `${pending.length} migrations of this version are pending. The next start applies them.`,
    ],
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
