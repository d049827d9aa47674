import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type Options, root } from "./product";

/** The image's worker; resolves when it is ready for jobs. */
export async function startWorker({ databaseUrl, models, env }: Options): Promise<ChildProcess> {
  const child = spawn("sh", ["deploy/image/footnote", "worker"], {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      DATABASE_URL: databaseUrl,
      MODELS: JSON.stringify(models),
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => line.includes("worker ready") && resolve());
    child.once("exit", () => reject(new Error("the worker ended before it was ready")));
  });
  return child;
}
