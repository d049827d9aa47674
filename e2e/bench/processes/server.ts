import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../free-port";

const root = path.resolve(import.meta.dirname, "../../..");
const START = ["scripts/start.mjs", "--no-install", "--no-build"];
const START_LIMIT_MS = 180_000;
const LOOK_MS = 20;
/** Blank, not absent: an absent one would be read from .env. */
const BLANK = {
  ...{ DATABASE_URL: "", REDIS_URL: "", OPENAI_BASE_URL: "", OPENAI_API_KEY: "", MODELS: "" },
  ...{ EMBEDDING_MODEL: "", VERIFY_MODEL: "", RATES_FILE: "", STRIPE_SECRET_KEY: "", PAYMENTS: "" },
};

export interface Started {
  pid: number;
  origin: string;
  /** Its first moment, by performance.now(). */
  since: number;
  /** From then to its first answer 200 of /api/health. */
  healthy_ms: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The built product as `npm start` runs it, with settings of its own and nobody else's. Resolves when it serves. */
export async function startServer(
  environment: Record<string, string>,
  { dataDir, isDemo = false }: { dataDir: string; isDemo?: boolean },
): Promise<Started> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...BLANK,
    NEXTAUTH_SECRET: "a-secret-for-the-bench-alone",
    APP_URL: origin,
    LOG_LEVEL: "error",
    ...environment,
  };
  const since = performance.now();
  const child = spawn(
    process.execPath,
    [...START, isDemo ? "--demo" : "--no-demo", "--port", String(port), "--data-dir", dataDir],
    {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
  };
  while (!(await isHealthy(origin))) {
    if (child.exitCode !== null || performance.now() - since > START_LIMIT_MS) {
      await stop("SIGKILL");
      throw new Error("the server did not start");
    }
    await sleep(LOOK_MS);
  }
  const healthy_ms = Math.round(performance.now() - since);
  return { pid: child.pid ?? 0, origin, since, healthy_ms, stop };
}

function isHealthy(origin: string): Promise<boolean> {
  return fetch(`${origin}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
