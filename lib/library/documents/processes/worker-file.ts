import path from "node:path";

/** The module that processes and threads load: a built program's is in its folder. Node's loader runs it, not the bundler's. */
export function workerFile(): string {
  const program = path.dirname(process.argv[1] ?? "");
  return program.endsWith(path.join(".next", "footnote"))
    ? path.join(program, "threads.mjs")
    : path.join(/* turbopackIgnore: true */ process.cwd(), "lib/reading/process/worker.mjs");
}
