import "server-only";

import { recordEvent } from "@/lib/platform/audit/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireOwner } from "@/lib/platform/auth/read";
import { lockMembers } from "@/lib/platform/auth/write/members";
import { query, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { canMail, sendMail } from "@/lib/platform/mail";
import { formatMicros, type Micros, microsToUsd, parseUsd } from "../money";
import { describeOutstanding } from "../outstanding";
import { getLowBalance, getOutstanding, type Outstanding } from "../read/balance";
import type { LowBalance, SetLowBalance } from "../schema";

/** Longer than a mail server may take; then another process may send the email of one that died. */
const LEASE_SECONDS = 300;
/** With waits of 1, 2, 4 … minutes: eight and a half hours in all. */
const MAX_ATTEMPTS = 10;
/** Accounts per sweep: each may wait for the mail server. */
const ACCOUNTS = 20;
const MOST_OWNERS = 20;

/** Accounts whose alert is due; $2 is the maximum number of attempts. */
const DUE = `low_balance_micros IS NOT NULL AND closed_at IS NULL AND balance_micros < low_balance_micros
  AND low_balance_notified_at IS NULL AND low_balance_attempts < $2
  AND coalesce(low_balance_lease_until <= now(), true)`;

/** Alerted before, and no longer low. */
const RECOVERED =
  "low_balance_micros IS NOT NULL AND balance_micros >= low_balance_micros AND low_balance_attempts > 0";

const RESET =
  "low_balance_notified_at = NULL, low_balance_lease_until = NULL, low_balance_attempts = 0";

/** Sets or turns off the alert; a new amount can alert again. Throws insufficient_scope. */
export async function setLowBalance(ctx: MemberContext, input: SetLowBalance): Promise<LowBalance> {
  const threshold = input.threshold_usd === null ? null : parseUsd(input.threshold_usd);
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [changed] = await tx.query(
      "billing_set_low_balance",
      `UPDATE account SET low_balance_micros = $2::bigint, ${RESET}
        WHERE id = $1 AND low_balance_micros IS DISTINCT FROM $2::bigint RETURNING id`,
      [ctx.account.id, threshold],
    );
    if (changed) {
      await recordEvent(tx, ctx, {
        action: "low_balance.changed",
        target: ctx.account,
        details: threshold === null ? {} : { amount_usd: microsToUsd(threshold) },
      });
    }
  });
  return getLowBalance(ctx);
}

/** After a credit: allows the next alert when the balance is no longer low. */
export async function resetLowBalanceAlert(accountId: string): Promise<void> {
  await query(
    "billing_reset_low_balance",
    `UPDATE account SET ${RESET} WHERE id = $1 AND ${RECOVERED}`,
    [accountId],
  );
}

/** Emails the owners of accounts whose balance fell below their amount, once each time, from any number of processes. Returns the number of emails. */
export async function sendLowBalanceAlerts(): Promise<number> {
  await resetRecovered();
  const due = await query<{ id: string }>(
    "billing_list_low_balances",
    `SELECT id FROM account WHERE ${DUE} ORDER BY low_balance_attempts, id LIMIT $1`,
    [ACCOUNTS, MAX_ATTEMPTS],
  );
  let sent = 0;
  for (const { id } of due) {
    const claim = await claimAlert(id);
    sent += claim && (await notify(claim)) ? 1 : 0;
  }
  return sent;
}

/** One by one, so that no account waits for another's row lock. */
async function resetRecovered(): Promise<void> {
  const recovered = await query<{ id: string }>(
    "billing_list_recovered",
    `SELECT id FROM account WHERE ${RECOVERED}`,
  );
  for (const { id } of recovered) {
    await resetLowBalanceAlert(id);
  }
}

interface Claim extends Record<string, unknown> {
  id: string;
  name: string;
  balance: Micros;
  threshold: Micros;
  attempts: number;
  /** Identifies this claim. */
  lease_until: Date;
  owners: string[];
}

/** One of several processes claims the alert: the others wait for the row and find it claimed. */
async function claimAlert(id: string): Promise<Claim | undefined> {
  const [claim] = await query<Claim>(
    "billing_lease_low_balance",
    `UPDATE account SET low_balance_attempts = low_balance_attempts + 1,
                        low_balance_lease_until = now() + make_interval(secs => $3)
      WHERE id = $1 AND ${DUE}
      RETURNING id, name, balance_micros AS balance, low_balance_micros AS threshold, low_balance_attempts AS attempts,
                low_balance_lease_until AS lease_until,
                ARRAY(SELECT m.email FROM member m WHERE m.account_id = account.id AND m.role = 'owner'
                       ORDER BY m.id LIMIT ${MOST_OWNERS}) AS owners`,
    [id, MAX_ATTEMPTS, LEASE_SECONDS],
  );
  return claim;
}

/** Returns whether an email was sent. A failed one is retried by a later sweep. */
async function notify(claim: Claim): Promise<boolean> {
  const line = {
    account_id: claim.id,
    balance_usd: microsToUsd(claim.balance),
    threshold_usd: microsToUsd(claim.threshold),
  };
  const isMailed = canMail();
  try {
    if (isMailed) {
      const outstanding = await getOutstanding(claim.id);
      await sendMail({ to: claim.owners, ...mailOf(claim, outstanding) });
    } else {
      log.warn(line, "low balance: owners not notified because SMTP_URL is not set");
    }
  } catch (cause) {
    const attempts = { attempts: claim.attempts, is_last: claim.attempts >= MAX_ATTEMPTS };
    log.error({ ...line, ...attempts, err: cause }, "low-balance email failed");
    await query(
      "billing_retry_low_balance",
      `UPDATE account SET low_balance_lease_until = now() + make_interval(mins => $3)
        WHERE id = $1 AND low_balance_lease_until = $2`,
      [claim.id, claim.lease_until, 2 ** (claim.attempts - 1)],
    );
    return false;
  }
  await query(
    "billing_mark_low_balance",
    "UPDATE account SET low_balance_notified_at = now() WHERE id = $1 AND low_balance_lease_until = $2",
    [claim.id, claim.lease_until],
  );
  return isMailed;
}

function mailOf(
  { name, balance, threshold }: Claim,
  { amount, reason }: Outstanding,
): { subject: string; text: string } {
  const page = new URL("/billing", env.APP_URL).href;
  return {
    subject: "Your Footnote balance is low",
    text: [
      `The balance of "${name}" on Footnote is ${formatMicros(balance)}. It fell below ${formatMicros(threshold)}, the amount an owner set for this email.`,
      ...(reason ? [describeOutstanding(formatMicros(amount), reason)] : []),
      `Requests that it doesn't cover are rejected. Add funds here:\n\n${page}`,
      'To change the amount or turn this email off, use "Low-balance email" on the same page.',
    ].join("\n\n"),
  };
}
