import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";

/** Runs a script of this folder on a database, in a process whose modules read their own environment. Returns the JSON that it prints. */
export async function runApart<T>(
  script: string,
  url: string,
  env: Record<string, string> = {},
): Promise<T> {
  const file = path.join(import.meta.dirname, script);
  const child = spawn(process.execPath, ["--conditions=react-server", "--import=tsx", file], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      LOG_LEVEL: "error",
      RETRIEVAL_DEADLINE_MS: "60000",
      VECTOR_INDEX_MEMORY_MB: "2048",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error(`${script} failed`);
  }
  return JSON.parse(output) as T;
}
