import type { Args } from "./command/run";
import { type Command, runProgram } from "./command/run";
import { UsageError } from "./command/usage-error";

// `npm run billing`: bookkeeping commands for operators.

const HELP = `Usage: npm run billing -- <command>

  audit                 recompute balances, holds, key budgets, charges, top-ups and refunds from their entries,
                        and print differences; safe while serving requests
      --account <id>    one account only
      --json            {"accounts", "entries", "differences": [{"check", "account_id", "subject",
                        "expected_usd", "found_usd"}]}
  reconcile             compare payments, refunds and disputes with the payment provider's, and print differences
      --since <day>     the first day, in UTC, such as 2026-11-01
      --repair          write the provider's values
      --json            {"provider", "compared", "foreign", "differences": [{"kind", "checkout", "payment",
                        "expected_usd", "found_usd", "is_repaired"}]}
  help                  this text

Exit code: 0 without differences, 1 with differences or on failure, 2 for invalid arguments.
`;

const COMMANDS: Record<string, Command> = {
  audit: {
    options: { account: { type: "string" }, json: { type: "boolean" } },
    prepare: (args) => {
      const options = auditOptions(args);
      return async () => (await import("./billing/audit")).runAudit(options);
    },
  },
  reconcile: {
    options: {
      since: { type: "string" },
      repair: { type: "boolean" },
      json: { type: "boolean" },
    },
    prepare: (args) => {
      const options = reconcileOptions(args);
      return async () => (await import("./billing/reconcile")).runReconcile(options);
    },
  },
};

await runProgram({
  name: "billing",
  help: HELP,
  commands: COMMANDS,
});

export function auditOptions({ values, positionals }: Args) {
  const { account } = values;
  if (positionals.length > 0 || account === "") {
    throw new UsageError("Usage: npm run billing -- audit --account <id>.");
  }
  return {
    accountId: typeof account === "string" ? account : null,
    isJson: values.json === true,
  };
}

export function reconcileOptions({ values, positionals }: Args) {
  const since = typeof values.since === "string" ? values.since : "";
  const time = /^\d{4}-\d{2}-\d{2}$/.test(since) ? new Date(`${since}T00:00:00Z`) : null;
  if (positionals.length > 0 || !time || time.toJSON()?.slice(0, 10) !== since) {
    throw new UsageError(
      "Give the first day, in UTC: npm run billing -- reconcile --since 2026-11-01.",
    );
  }
  return { since: time, repair: values.repair === true, isJson: values.json === true };
}
