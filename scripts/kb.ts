import { existsSync } from "node:fs";
import path from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Args, importOptions, listOptions, reembedOptions, removeOptions } from "./kb/options";
import { UsageError } from "./kb/usage-error";

// `npm run kb`: what an operator does with the knowledge bases from a shell.

const HELP = `Usage: npm run kb -- <command>

  import <path> --scope public_kb   load a folder or file: Markdown, text, PDF, DOCX and the other formats of
                                    an upload, and JSONL or JSONL.gz with a document a line
      --source-type <name>          the source type of every document, in place of what it says itself
      --concurrency <n>             how many batches are under way at a time (default 4)
  list [--scope <scope>] [--json]   documents and chunks by source type, and what has vectors
  remove --source-type <name> | --document <id> | --all
      --yes                         without asking
  reembed [--collection <id>]       index again what an older version indexed, and embed what has no vector
                                    of the configured model; then drop the vectors of other models
  help                              this text

Each may be stopped and run again: it goes on where it was.
`;

interface Command {
  options: NonNullable<ParseArgsConfig["options"]>;
  /** Checks the arguments and gives the work. What it needs is loaded with it: a mistyped one is answered at once. */
  prepare(args: Args): () => Promise<number>;
}

const COMMANDS: Record<string, Command> = {
  import: {
    options: {
      scope: { type: "string" },
      "source-type": { type: "string" },
      concurrency: { type: "string" },
    },
    prepare: (args) => {
      const options = importOptions(args);
      return async () => (await import("./kb/import")).runImport(options);
    },
  },
  list: {
    options: { scope: { type: "string" }, json: { type: "boolean" } },
    prepare: (args) => {
      const options = listOptions(args);
      return async () => (await import("./kb/list")).runList(options);
    },
  },
  remove: {
    options: {
      scope: { type: "string" },
      "source-type": { type: "string" },
      document: { type: "string" },
      all: { type: "boolean" },
      yes: { type: "boolean" },
    },
    prepare: (args) => {
      const options = removeOptions(args);
      return async () => (await import("./kb/remove")).runRemove(options);
    },
  },
  reembed: {
    options: { collection: { type: "string" } },
    prepare: (args) => {
      const options = reembedOptions(args);
      return async () => (await import("./kb/reembed")).runReembed(options);
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
    throw new UsageError(`There is no command ${name}; npm run kb -- help lists what there is.`);
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
    throw new UsageError(`${sentence}; npm run kb -- help lists what there is.`);
  }
}

async function withDatabase(work: () => Promise<number>): Promise<number> {
  const [{ migrate }, { closeDatabase }, { closeReaders }] = await Promise.all([
    import("@/lib/migrate"),
    import("@/lib/db"),
    import("@/lib/documents/parse/pool"),
  ]);
  try {
    await migrate();
    return await work();
  } finally {
    await closeReaders();
    await closeDatabase();
  }
}
