import { execute } from "@/lib/platform/db/client";

const OF_MEMBER = "member_id IN (SELECT id FROM member WHERE account_id = $1)";

/** Every table with rows of an account, and the condition that selects those of account $1. */
export const OWNED: Record<string, string> = {
  account: "id = $1",
  api_key: "account_id = $1",
  audit_event: "account_id = $1",
  audit_subject: "account_id = $1",
  checkout_session: "account_id = $1",
  chunk: "account_id = $1",
  chunk_vector: "account_id = $1",
  collection: "account_id = $1",
  document: "account_id = $1",
  document_attribute: "account_id = $1",
  document_frequency: "account_id = $1",
  document_page: "account_id = $1",
  document_tombstone: "account_id = $1",
  document_upload: "account_id = $1",
  hold: "account_id = $1",
  invitation: "account_id = $1",
  job: "account_id = $1",
  key_secret: "account_id = $1",
  key_spend: "account_id = $1",
  idempotent_request: "account_id = $1",
  ledger_entry: "account_id = $1",
  member: "account_id = $1",
  member_identity: OF_MEMBER,
  member_session: OF_MEMBER,
  password_reset: OF_MEMBER,
  payment: "account_id = $1",
  payment_customer: "account_id = $1",
  payment_event: "checkout_session_id IN (SELECT id FROM checkout_session WHERE account_id = $1)",
  payment_reversal: "payment_reference IN (SELECT reference FROM payment WHERE account_id = $1)",
  person: "account_id = $1",
  recognized_page: "account_id = $1",
  refused_request: "account_id = $1",
  shared_link: "account_id = $1",
  preset: "account_id = $1",
  simulated_checkout: "account_id = $1",
  stored_completion: "account_id = $1",
  upload: "account_id = $1",
  upload_slice: "account_id = $1",
  usage_record: "account_id = $1",
  vector_store: "account_id = $1",
  vector_store_batch: "account_id = $1",
  vector_store_file: "account_id = $1",
  vocabulary: "account_id = $1",
};

/** Tables without account rows. */
export const UNOWNED = ["_prisma_migrations", "retention_watermark", "vector_space"];

/** Per table, the number of an account's rows and a hash of all their columns. */
export type Snapshot = Record<string, string>;

const STATEMENT = Object.entries(OWNED)
  .map(
    ([table, condition]) =>
      `SELECT '${table}' AS name, count(*)::int AS rows,
              md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash
         FROM ${table} t WHERE ${condition}`,
  )
  .join(" UNION ALL ");

/** Two snapshots of an account are equal only if none of its rows changed in between. */
export async function snapshotOf(accountId: string): Promise<Snapshot> {
  const { rows } = await execute(STATEMENT, [accountId]);
  return Object.fromEntries(rows.map((row) => [row.name, `${row.rows} rows, ${row.hash}`]));
}

/** Tables of the database that neither `OWNED` nor `UNOWNED` lists. */
export async function unknownTables(): Promise<string[]> {
  const { rows } = await execute(
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const known = [...Object.keys(OWNED), ...UNOWNED];
  return rows.map((row) => String(row.table_name)).filter((name) => !known.includes(name));
}
