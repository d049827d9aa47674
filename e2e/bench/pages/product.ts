import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const PORT = process.env.FOOTNOTE_BENCH_PORT ?? "3197";
const SEED = ["--conditions=react-server", "--import", "tsx", "e2e/bench/pages/seed.ts"];

/** The running product with an account in full use. */
export interface Product {
  url: string;
  email: string;
  password: string;
  close(): Promise<void>;
}

/** The built product on a fresh embedded database, with the public sample and one account of that many rows. */
export async function openProduct(rows: { documents: number; records: number }): Promise<Product> {
  const url = `http://localhost:${PORT}`;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-pages-"));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    // Blank, not absent: an absent one would be read from .env.
    ...{ DATABASE_URL: "", OPENAI_BASE_URL: "", OPENAI_API_KEY: "", MODELS: "", VERIFY_MODEL: "" },
    ...{ EMBEDDING_MODEL: "", REDIS_URL: "", SMTP_URL: "", RATES_FILE: "" },
    ...{ PAYMENTS: "simulated", STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" },
    SIGNUP_GRANT_USD: "0",
    ...{ APP_URL: url, NEXTAUTH_URL: url, LOG_LEVEL: "error" },
  };
  const counts = [String(rows.documents), String(rows.records)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...SEED, ...counts], { env });
    const server = spawn(
      process.execPath,
      ["scripts/start.mjs", "--no-install", "--no-build", "--no-demo", "--port", PORT],
      { env, stdio: ["ignore", "ignore", "inherit"] },
    );
    await untilHealthy(server, url);
    const close = async () => {
      server.kill("SIGTERM");
      await once(server, "exit");
      await rm(dataDir, { recursive: true, force: true });
    };
    return { url, ...JSON.parse(stdout), close };
  } catch (thrown) {
    await rm(dataDir, { recursive: true, force: true });
    throw thrown;
  }
}

async function untilHealthy(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 240 && server.exitCode === null; tries += 1) {
    const response = await fetch(`${url}/api/health`).catch(() => null);
    if (response?.ok) {
      return;
    }
    await sleep(500);
  }
  server.kill("SIGTERM");
  throw new Error("the server did not start; npm run build makes what it serves");
}
