import { microsToUsd } from "@/lib/billing/money";
import { type AuditDifference, type AuditResult, audit } from "@/lib/billing/read/audit";
import { UsageError } from "../command/usage-error";
import type { auditOptions } from "../billing";

const WORDS: Record<AuditDifference["check"], string> = {
  balance: "the balance is not the sum of the entries",
  held: "what is held is not the sum of the open holds",
  below_zero: "less than nothing",
  key_held: "what a key holds is not the sum of its open holds",
  key_spent: "what a key has spent is not the sum of its charges",
  usage: "a charge and its usage record differ",
  top_up: "a top-up and its payment differ",
  refund: "refunds and what their payment says differ",
};

/** `billing audit`. Differences are printed as they are found: there may be more than memory holds. */
export async function runAudit({
  accountId,
  isJson,
}: ReturnType<typeof auditOptions>): Promise<number> {
  const say = (text: string) => process.stdout.write(text);
  const tell = isJson ? jsonTeller(say) : (one: AuditDifference) => say(`${toLine(one)}\n`);
  const result = await audit({ accountId }, tell);
  if (accountId && result.accounts === 0) {
    throw new UsageError(`There is no account ${accountId}.`);
  }
  say(isJson ? jsonEnd(result) : `${summary(result)}\n`);
  return result.differences === 0 ? 0 : 1;
}

function toLine({ check, accountId, subject, expected, found }: AuditDifference): string {
  const what = subject === null ? accountId : `${accountId} ${subject}`;
  return `${what}: ${WORDS[check]}: expected ${microsToUsd(expected)}, found ${microsToUsd(found)}`;
}

function summary({ accounts, entries, differences }: AuditResult): string {
  const read = `${counted(accounts, "account")} and ${counted(entries, "ledger entry", "ledger entries")}`;
  return differences === 0
    ? `Everything agrees: ${read}.`
    : `${counted(differences, "difference")} in ${read}.`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** One JSON object, written piece by piece. */
function jsonTeller(say: (text: string) => void): (difference: AuditDifference) => void {
  let before = JSON_START;
  return ({ check, accountId, subject, expected, found }) => {
    const line = {
      check,
      account_id: accountId,
      subject,
      expected_usd: microsToUsd(expected),
      found_usd: microsToUsd(found),
    };
    say(`${before}${JSON.stringify(line)}`);
    before = ",";
  };
}

const JSON_START = '{"differences":[';

function jsonEnd({ accounts, entries, differences }: AuditResult): string {
  return `${differences === 0 ? JSON_START : ""}],"accounts":${accounts},"entries":${entries}}\n`;
}
