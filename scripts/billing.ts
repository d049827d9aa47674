import { command, runProgram, UsageError } from "./command/run";

// `npm run billing`: bookkeeping commands for operators.

const HELP = `Usage: npm run billing -- <command>

  audit                 recompute balances, holds, key budgets, charges, top-ups and refunds from their entries,
                        and print differences and what couldn't be charged; safe while serving requests from PostgreSQL
      --account <id>    one account only
      --json            {"accounts", "entries", "shortfalls", "shortfall_usd", "differences": [{"check", "account_id", "subject",
                        "expected_usd", "found_usd"}]}
  reconcile             compare payments, refunds and disputes with the payment provider's, and print differences
      --since <day>     the first day, in UTC, such as 2026-11-01
      --repair          write the provider's values
      --json            {"provider", "compared", "foreign", "differences": [{"kind", "checkout", "payment",
                        "expected_usd", "found_usd", "is_repaired"}]}
  help                  this text

Exit code: 0 without differences, 1 with differences or on failure, 2 for invalid arguments.
`;

await runProgram({
  name: "billing",
  help: HELP,
  commands: {
    audit: command(
      { account: { type: "string" }, json: { type: "boolean", default: false } },
      ({ values: { account = null, json }, positionals }) => {
        if (positionals.length > 0 || account === "") {
          throw new UsageError("Usage: npm run billing -- audit --account <id>.");
        }
        return { accountId: account, isJson: json };
      },
      async (options) => (await import("./billing/audit")).runAudit(options),
    ),
    reconcile: command(
      {
        since: { type: "string", default: "" },
        repair: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
      },
      ({ values: { since: day, repair, json }, positionals }) => {
        const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
        if (positionals.length > 0 || since?.toJSON()?.slice(0, 10) !== day) {
          throw new UsageError(
            "Give the first day, in UTC: npm run billing -- reconcile --since 2026-11-01.",
          );
        }
        return { since, repair, isJson: json };
      },
      async (options) => (await import("./billing/reconcile")).runReconcile(options),
    ),
  },
});
