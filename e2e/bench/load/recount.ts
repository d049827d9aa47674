import pg from "pg";

/** Compares all accounts with their ledgers, holds and usage; throws if they differ. */
export async function recount(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM account a WHERE a.balance_micros <>
                 (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entry WHERE account_id = a.id)) AS wrong_balances,
              (SELECT count(*)::int FROM account a WHERE a.held_micros <>
                 (SELECT coalesce(sum(amount_micros), 0) FROM hold WHERE account_id = a.id AND status = 'open')) AS wrong_holds,
              (SELECT count(*)::int FROM hold WHERE status = 'open') AS open_holds,
              (SELECT count(*)::int FROM usage_record WHERE cost_micros > 0) -
              (SELECT count(*)::int FROM ledger_entry WHERE kind = 'usage') AS unmatched_charges,
              (SELECT count(*)::int FROM job WHERE status IN ('queued', 'processing')) AS open_jobs`,
    );
    const found = rows[0] ?? {};
    if (Object.values(found).some((count) => count !== 0)) {
      throw new Error(`inconsistent accounts: ${JSON.stringify(found)}`);
    }
    return found;
  } finally {
    await client.end();
  }
}
