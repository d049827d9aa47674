import { existsSync } from "node:fs";
import path from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Args, auditOptions, reconcileOptions } from "./billing/options";
import { UsageError } from "./kb/usage-error";

// `npm run billing`: what an operator does with the books from a shell.

const HELP = `Usage: npm run billing -- <command>

  audit                 recompute balances, holds, key budgets, charges, top-ups and refunds from their entries,
                        and print what differs; requests may go on meanwhile
      --account <id>    one account alone
      --json            {"accounts", "entries", "differences": [{"check", "account_id", "subject",
                        "expected_usd", "found_usd"}]}
  reconcile             compare payments, refunds and disputes with the payment provider's, and print what differs
      --since <day>     the first day, in UTC, such as 2026-11-01
      --repair          write what the provider says
      --json            {"provider", "compared", "foreign", "differences": [{"kind", "checkout", "payment",
                        "expected_usd", "found_usd", "is_repaired"}]}
  help                  this text

Exit code: 0 when nothing differs, 1 when something does or the command fails, 2 when it was typed wrong.
`;

interface Command {
  options: NonNullable<ParseArgsConfig["options"]>;
  /** Checks the arguments and gives the work. What it needs is loaded with it: a mistyped one is answered at once. */
  prepare(args: Args): () => Promise<number>;
}

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

// Next reads .env by itself; this must see the same database.
if (existsSync(".env")) {
  process.loadEnvFile(".env");
}
// Log lines are JSON on the standard output, where the answer goes.
process.env.LOG_LEVEL ??= "error";

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = thrown instanceof UsageError ? 2 : 1;
}

async function main([name = "help", ...rest]: string[]): Promise<number> {
  if (name === "help" || name === "--help" || rest.includes("--help")) {
    process.stdout.write(HELP);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    throw new UsageError(
      `There is no command ${name}; npm run billing -- help lists what there is.`,
    );
  }
  const work = command.prepare(parse(command, rest));
  if (!existsSync(path.resolve("lib/generated/prisma"))) {
    throw new Error(
      "The database client is not generated yet. Run npm start once, or npm run generate.",
    );
  }
  return withDatabase(work);
}

function parse({ options }: Command, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const [sentence] = (thrown as Error).message.split(". ");
    throw new UsageError(`${sentence}; npm run billing -- help lists what there is.`);
  }
}

async function withDatabase(work: () => Promise<number>): Promise<number> {
  const [{ migrate }, { closeDatabase }] = await Promise.all([
    import("@/lib/migrate"),
    import("@/lib/db"),
  ]);
  try {
    await migrate();
    return await work();
  } finally {
    await closeDatabase();
  }
}
