import path from "node:path";

/** A module for a process or thread: a built program's is in its folder. Node's loader runs it, not the bundler's. */
export function programFile(built: string, source: string): string {
  const program = path.dirname(process.argv[1] ?? "");
  return program.endsWith(path.join(".next", "footnote"))
    ? path.join(program, built)
    : path.join(/* turbopackIgnore: true */ process.cwd(), source);
}
