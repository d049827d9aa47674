import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startServer } from "../../product";

const SEED = ["--conditions=react-server", "--import", "tsx", "e2e/bench/pages/seed.ts"];

/** The running product with an active account. */
export interface Product {
  url: string;
  email: string;
  password: string;
  close(): Promise<void>;
}

/** Starts the built product on a fresh embedded database with the public sample and one large account. */
export async function openProduct(rows: { documents: number; records: number }): Promise<Product> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-pages-"));
  const env = { DATA_DIR: dataDir, DATABASE_URL: "", MODELS: "", SIGNUP_GRANT_USD: "0" };
  const counts = [String(rows.documents), String(rows.records)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...SEED, ...counts], {
      env: { ...process.env, ...env, LOG_LEVEL: "error" },
    });
    const server = await startServer({
      dataDir,
      isDemo: false,
      port: Number(process.env.FOOTNOTE_BENCH_PORT ?? 3197),
      env: { ...env, PAYMENTS: "simulated" },
    });
    const close = async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    return { url: server.url, ...JSON.parse(stdout), close };
  } catch (thrown) {
    await rm(dataDir, { recursive: true, force: true });
    throw thrown;
  }
}
