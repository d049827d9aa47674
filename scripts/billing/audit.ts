import { microsToUsd } from "@/lib/money/billing/money";
import {
  type AuditDifference,
  type AuditResult,
  audit,
  sumShortfalls,
} from "@/lib/money/billing/read/audit";
import { UsageError } from "../command/run";

const LABELS: Record<AuditDifference["check"], string> = {
  balance: "the balance isn't the sum of the entries",
  held: "the held amount isn't the sum of the open holds",
  below_zero: "negative balance",
  key_held: "a key's held amount isn't the sum of its open holds",
  key_spent: "a key's spend isn't the sum of its charges",
  usage: "a charge and its usage record differ",
  top_up: "a top-up and its payment differ",
  refund: "refunds and their payment differ",
};

/** Prints differences as they are found: there may be too many for memory. */
export async function runAudit(options: {
  accountId: string | null;
  isJson: boolean;
}): Promise<number> {
  const { accountId, isJson } = options;
  const print = (text: string) => process.stdout.write(text);
  const report = isJson ? jsonReporter(print) : (one: AuditDifference) => print(`${toLine(one)}\n`);
  const result = await audit({ accountId }, report);
  if (accountId && result.accounts === 0) {
    throw new UsageError(`Unknown account ${accountId}.`);
  }
  const shortfall = await sumShortfalls({ accountId });
  print(isJson ? jsonEnd(result, shortfall) : `${summary(result)}\n${uncharged(shortfall)}`);
  return result.differences === 0 ? 0 : 1;
}

function toLine({ check, accountId, subject, expected, found }: AuditDifference): string {
  const what = subject === null ? accountId : `${accountId} ${subject}`;
  return `${what}: ${LABELS[check]}: expected ${microsToUsd(expected)}, found ${microsToUsd(found)}`;
}

function summary({ accounts, entries, differences }: AuditResult): string {
  const read = `${counted(accounts, "account")} and ${counted(entries, "ledger entry", "ledger entries")}`;
  return differences === 0
    ? `Everything agrees: ${read}.`
    : `${counted(differences, "difference")} in ${read}.`;
}

type Shortfall = Awaited<ReturnType<typeof sumShortfalls>>;

function uncharged({ requests, amount }: Shortfall): string {
  return requests === 0
    ? ""
    : `Not charged: $${microsToUsd(amount)} that ${counted(requests, "request")} cost above hold and free balance.\n`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Streams one JSON object. */
function jsonReporter(print: (text: string) => void): (difference: AuditDifference) => void {
  let separator = JSON_START;
  return ({ check, accountId, subject, expected, found }) => {
    const line = {
      check,
      account_id: accountId,
      subject,
      expected_usd: microsToUsd(expected),
      found_usd: microsToUsd(found),
    };
    print(`${separator}${JSON.stringify(line)}`);
    separator = ",";
  };
}

const JSON_START = '{"differences":[';

function jsonEnd({ accounts, entries, differences }: AuditResult, shortfall: Shortfall): string {
  const usd = microsToUsd(shortfall.amount);
  return `${differences === 0 ? JSON_START : ""}],"accounts":${accounts},"entries":${entries},"shortfalls":${shortfall.requests},"shortfall_usd":"${usd}"}\n`;
}
