import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Finding } from "./doctor/settings";

// `npm run doctor`: checks the settings of a deployment, in the environment or .env, its embedding model and its database;
// with --models, also each model, by a call that the upstream may bill.
// Exit code 1 when something is unsafe, 2 when the settings are invalid.

const MARKS = { unsafe: "UNSAFE", advice: "advice" } as const;

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    models: { type: "boolean", default: false },
  },
});
if (existsSync(".env")) {
  process.loadEnvFile(".env");
}
// Log lines would mix with the output.
process.env.LOG_LEVEL ??= "error";
try {
  const findings = await check();
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : report(findings));
  process.exitCode = findings.some(({ level }) => level === "unsafe") ? 1 : 0;
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 2;
}

async function check(): Promise<Finding[]> {
  const [{ env }, { readCatalogue }, { checkSettings }, { checkEmbedder }] = await Promise.all([
    import("@/lib/platform/env"),
    import("@/lib/models/catalogue"),
    import("./doctor/settings"),
    import("./doctor/embedding"),
  ]);
  // Throws for an invalid MODELS, as the server would.
  readCatalogue(env.MODELS);
  const { space, findings } = await checkEmbedder(env);
  return [
    ...checkSettings(env),
    ...findings,
    ...(values.models ? await (await import("./doctor/models")).checkModels() : []),
    ...(env.DATABASE_URL ? await databaseFindings(space) : []),
  ];
}

/** A server that can't be reached is a finding, not a failure of the check. */
async function databaseFindings(space: string | null): Promise<Finding[]> {
  const [{ closeDatabase }, { checkDatabase }] = await Promise.all([
    import("@/lib/platform/db/client"),
    import("./doctor/database"),
  ]);
  try {
    return await checkDatabase(space);
  } catch (cause) {
    const message = `It can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
    return [{ level: "unsafe", about: "database", message }];
  } finally {
    await closeDatabase();
  }
}

function report(findings: readonly Finding[]): string {
  const sorted = findings.toSorted((a, b) => b.level.localeCompare(a.level));
  const lines = sorted.map(({ level, about, message }) => `${MARKS[level]}  ${about}: ${message}`);
  const unsafe = findings.filter(({ level }) => level === "unsafe").length;
  const summary = `${unsafe} unsafe, ${findings.length - unsafe} to consider. docs/production-checklist.md lists what else to check.`;
  return [...lines, "", summary, ""].join("\n");
}
