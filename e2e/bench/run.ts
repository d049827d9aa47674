import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

// npm run bench <name>: runs e2e/bench/<name>.ts, prints its table, saves its result, and fails if it missed a goal.

interface Bench {
  run(): Promise<{ table: string; result: object; missed?: readonly string[] }>;
}

const [name = ""] = process.argv.slice(2);
if (!/^[a-z]+(-[a-z]+)*$/.test(name) || name === "run") {
  process.stderr.write("Usage: npm run bench <name>, after a file of e2e/bench\n");
  process.exit(2);
}
const { run }: Bench = await import(`./${name}.ts`);
const { table, result, missed = [] } = await run();
const folder = path.join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
process.stdout.write(`${table}\n`);
if (missed.length > 0) {
  process.stderr.write(`\nmissed:\n${missed.join("\n")}\n`);
  process.exitCode = 1;
}
