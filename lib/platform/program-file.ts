import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { log } from "./log";

/** No secrets: it may read hostile files. */
const ENVIRONMENT = { NODE_ENV: "production" } as const;

/** A module for a process or thread: a built program's is in its folder. Node's loader runs it, not the bundler's. */
export function programFile(built: string, source: string): string {
  const program = path.dirname(process.argv[1] ?? "");
  return program.endsWith(path.join(".next", "footnote"))
    ? path.join(program, built)
    : path.join(/* turbopackIgnore: true */ process.cwd(), source);
}

/** Starts a program as a process of its own. `failure`: what the log says when it can't be started or told to end. */
export function startProgram(file: string, settings: object, failure: string): ChildProcess {
  const started = fork(file, [JSON.stringify(settings)], {
    env: ENVIRONMENT,
    // The parent's flags may be those of tsx, vitest or a server with a large young generation.
    execArgv: [],
    // JSON has neither bytes nor NaN.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return started.on("error", (cause) => log.error({ err: cause }, failure));
}
