import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { canMail } from "@/lib/mail";
import { type Micros, microsToUsd } from "../money";
import type { LowBalance } from "../schema";

/** Below which balance the account's owners are told by mail. Throws missing_session once the member is gone. */
export async function getLowBalance({ account, actor }: MemberContext): Promise<LowBalance> {
  const [row] = await query<{ threshold: Micros | null; is_owner: boolean }>(
    "billing_get_low_balance",
    `SELECT a.low_balance_micros AS threshold, m.role = 'owner' AS is_owner
       FROM account a JOIN member m ON m.account_id = a.id AND m.id = $2 WHERE a.id = $1`,
    [account.id, actor.id],
  );
  if (!row) {
    throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
  }
  return {
    object: "billing.low_balance",
    threshold_usd: row.threshold === null ? null : microsToUsd(row.threshold),
    can_change: row.is_owner,
    can_mail: canMail(),
  };
}
