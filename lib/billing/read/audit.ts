import "server-only";

import { PUBLIC_ACCOUNT_ID } from "@/lib/auth/public-account";
import { type Session, transaction } from "@/lib/db/client";
import type { Micros } from "../money";
import { AUDIT_CHECKS, type AuditCheck } from "./audit-checks";

/** Rows in memory at a time, however many differ. */
const FETCHED = 500;

interface AuditOptions {
  /** Null: every account. */
  accountId: string | null;
}

export interface AuditDifference {
  check: AuditCheck;
  accountId: string;
  /** The key and month, request or payment it is about; null: the account as a whole. */
  subject: string | null;
  expected: Micros;
  found: Micros;
}

export interface AuditResult {
  /** What was read; with no account, there is none of that id. */
  accounts: number;
  entries: number;
  differences: number;
}

/**
 * Recomputes everything that is kept of money from ledger entries, holds, usage records and payments, and tells
 * each difference as it is found. It reads one snapshot, so requests may go on meanwhile.
 */
export function audit(
  options: AuditOptions,
  tell: (difference: AuditDifference) => void,
): Promise<AuditResult> {
  return transaction(async (tx) => {
    // Every row of each cursor is read, where a server would plan for the first tenth.
    await tx.exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
                   SET LOCAL cursor_tuple_fraction = 1`);
    return auditWithin(tx, options, tell);
  });
}

/** As `audit`, within the caller's transaction, whose isolation must give it one snapshot. */
export async function auditWithin(
  tx: Session,
  { accountId }: AuditOptions,
  tell: (difference: AuditDifference) => void,
): Promise<AuditResult> {
  let differences = 0;
  for (const [check, statement] of AUDIT_CHECKS) {
    for await (const row of readAll(tx, statement, accountId)) {
      differences += 1;
      tell({ check, ...row });
    }
  }
  const { rows } = await tx.execute(
    `SELECT (SELECT count(*) FROM account WHERE CASE WHEN $1::text IS NULL THEN id <> $2 ELSE id = $1 END) AS accounts,
            (SELECT count(*) FROM ledger_entry WHERE $1::text IS NULL OR account_id = $1) AS entries`,
    [accountId, PUBLIC_ACCOUNT_ID],
  );
  return {
    accounts: Number(rows[0]?.accounts),
    entries: Number(rows[0]?.entries),
    differences,
  };
}

type Found = Omit<AuditDifference, "check">;

async function* readAll(tx: Session, statement: string, accountId: string | null) {
  await tx.execute(`DECLARE audit NO SCROLL CURSOR FOR ${statement}`, [accountId]);
  for (;;) {
    const { rows } = await tx.execute(`FETCH ${FETCHED} FROM audit`);
    yield* rows.map(toFound);
    if (rows.length < FETCHED) {
      break;
    }
  }
  await tx.exec("CLOSE audit");
}

/** Sums are numeric, which the drivers give as text, and amounts int8. */
function toFound(row: Record<string, unknown>): Found {
  return {
    accountId: String(row.account_id),
    subject: row.subject === null ? null : String(row.subject),
    expected: BigInt(String(row.expected)),
    found: BigInt(String(row.found)),
  };
}
