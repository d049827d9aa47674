import "server-only";

import type { Session } from "./client";

/** Runs named statements, each with an account's id as its only parameter, when the account is closed. */
export function accountPurge(statements: Record<string, string>) {
  return async (tx: Session, accountId: string): Promise<void> => {
    for (const [name, statement] of Object.entries(statements)) {
      await tx.query(name, statement, [accountId]);
    }
  };
}
