import { onServer } from "../search/server";

/** Bytes written so far. */
export interface Written {
  wal: number;
  tables: number;
}

/** The server's WAL, and the tables that each request adds a row to, with indexes. */
export function writtenTo(url: string): Promise<Written> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ wal: string; tables: string }>(
      `SELECT pg_current_wal_lsn() - '0/0' AS wal, sum(pg_total_relation_size(name)) AS tables
         FROM unnest(ARRAY['hold', 'ledger_entry', 'usage_record']::regclass[]) AS t(name)`,
    );
    return { wal: Number(rows[0]?.wal), tables: Number(rows[0]?.tables) };
  });
}
