import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../../../scripts/install.mjs";

export interface Worker {
  pid: number;
  /** Until it said that it takes jobs. */
  ready_ms: number;
  stop(): Promise<void>;
}

/** `npm run worker` on a server's database. */
export async function startWorker(databaseUrl: string): Promise<Worker> {
  const since = performance.now();
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--import", "tsx", "scripts/worker.ts"],
    {
      cwd: root,
      env: { ...process.env, DATABASE_URL: databaseUrl, EMBEDDING_MODEL: "", LOG_LEVEL: "info" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes("worker ready")) {
      break;
    }
  }
  const ready_ms = Math.round(performance.now() - since);
  return {
    pid: child.pid ?? 0,
    ready_ms,
    stop: async () => {
      child.kill("SIGTERM");
      await (child.exitCode === null && once(child, "exit"));
    },
  };
}
