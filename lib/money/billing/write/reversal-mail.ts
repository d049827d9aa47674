import "server-only";

import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { canMail, sendMail } from "@/lib/platform/mail";
import { formatMicros, type Micros } from "../money";
import { describeOutstanding } from "../outstanding";
import { getOutstanding } from "../read/balance";
import type { SessionFacts } from "../vendor/port";

const MOST_OWNERS = 20;

/** Tells an account's owners about a refund or dispute, once it has changed what they have or owe. Never fails: the money has moved. */
export async function mailReversal(
  accountId: string,
  facts: SessionFacts,
  debited: Micros,
): Promise<void> {
  const taken = facts.payment?.reversals.filter(({ isDebited }) => isDebited) ?? [];
  if (!canMail() || taken.length === 0) {
    return;
  }
  const isDisputed = taken.some(({ kind }) => kind === "dispute");
  try {
    const owners = await db().member.findMany({
      where: { accountId, role: "owner" },
      select: { email: true },
      orderBy: { id: "asc" },
      take: MOST_OWNERS,
    });
    if (owners.length > 0) {
      const to = owners.map(({ email }) => email);
      await sendMail({ to, ...(await write(accountId, debited, isDisputed)) });
    }
  } catch (cause) {
    log.error({ err: cause, account_id: accountId }, "refund or dispute email failed");
  }
}

async function write(accountId: string, debited: Micros, isDisputed: boolean) {
  const what = isDisputed ? "disputed with the payer's bank" : "refunded";
  const { amount, reason } = await getOutstanding(accountId);
  const owed = describeOutstanding(formatMicros(amount), reason);
  const page = new URL("/billing", env.APP_URL).href;
  return {
    subject: `A Footnote payment was ${isDisputed ? "disputed" : "refunded"}`,
    text: [
      `A payment to your Footnote account was ${what}.`,
      ...(debited > 0n ? [`${formatMicros(debited)} was taken from your balance.`] : []),
      ...(owed ? [owed] : []),
      `Every change of the balance is in the ledger:\n\n${page}`,
    ].join("\n\n"),
  };
}
