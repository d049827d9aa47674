import { existsSync } from "node:fs";
import path from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Args<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

/** Invalid arguments: exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Resolves a path against the folder in which npm or the package's command was called. Unchanged if that is the current one. */
export function toPath(named: string): string {
  const folder = process.env.INIT_CWD ?? process.cwd();
  return folder === process.cwd() ? named : path.resolve(folder, named);
}

/** The value of an option that takes a whole number from 1; null when it is left out or empty. Throws UsageError. */
export function readCount(
  name: string,
  value: string | null | undefined,
  most = Number.MAX_SAFE_INTEGER,
): number | null {
  const count = Number(value);
  if (value && (!Number.isInteger(count) || count < 1 || count > most)) {
    const range = most === Number.MAX_SAFE_INTEGER ? "of at least 1" : `from 1 to ${most}`;
    throw new UsageError(`--${name} takes a whole number ${range}.`);
  }
  return value ? count : null;
}

/** Parses the arguments and returns the work. */
type Command = (args: string[]) => () => Promise<number>;

/** `read` validates the arguments before `run` loads its own modules: errors in arguments show at once. */
export function command<O extends Options, T>(
  options: O,
  read: (args: Args<O>) => T,
  run: (input: T) => Promise<number>,
): Command {
  return (args) => {
    const input = read(parseArgs({ args, options, allowPositionals: true, strict: true }));
    return () => run(input);
  };
}

interface Program {
  name: string;
  help: string;
  commands: Record<string, Command>;
  /** Commands that don't open the database. */
  remote?: Record<string, Command>;
  /** Runs before the database closes. */
  close?: () => Promise<void>;
}

/** Runs the command in the process's arguments. Exit code: the command's, 1 on failure, 2 for invalid arguments. */
export async function runProgram(program: Program): Promise<void> {
  // Next loads .env itself; commands need the same database.
  if (existsSync(".env")) {
    process.loadEnvFile(".env");
  }
  // Log lines would mix with the output.
  process.env.LOG_LEVEL ??= "error";
  try {
    process.exitCode = await main(program, process.argv.slice(2));
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = thrown instanceof UsageError ? 2 : 1;
  }
}

async function main(program: Program, [name = "help", ...rest]: string[]): Promise<number> {
  if (name === "help" || name === "--help" || rest.includes("--help")) {
    process.stdout.write(program.help);
    return 0;
  }
  const remote = find(name, program.remote);
  if (remote) {
    return prepare(program, remote, rest)();
  }
  const command = find(name, program.commands);
  if (!command) {
    throw new UsageError(`There is no command ${name}; ${seeHelp(program)}`);
  }
  const work = prepare(program, command, rest);
  // The image's programs contain it.
  if (existsSync("lib") && !existsSync("lib/generated/prisma")) {
    throw new Error(
      "The database client isn't generated yet. Run npm start once, or npm run generate.",
    );
  }
  return withDatabase(program, work);
}

function find(name: string, commands: Record<string, Command> = {}): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function seeHelp({ name }: Program): string {
  return `see npm run ${name} -- help.`;
}

function prepare(program: Program, command: Command, args: string[]): () => Promise<number> {
  try {
    return command(args);
  } catch (thrown) {
    if (thrown instanceof UsageError) {
      throw thrown;
    }
    const [sentence] = (thrown as Error).message.split(". ");
    throw new UsageError(`${sentence}; ${seeHelp(program)}`);
  }
}

async function withDatabase({ close }: Program, work: () => Promise<number>): Promise<number> {
  const [{ migrate }, { closeDatabase }] = await Promise.all([
    import("@/lib/platform/db/migrate"),
    import("@/lib/platform/db/client"),
  ]);
  try {
    await migrate();
    return await work();
  } finally {
    await close?.();
    await closeDatabase();
  }
}
