import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port";

const root = path.resolve(import.meta.dirname, "../..");
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 15_000;
/** The last output of a server that fails to start, shown with the failure. */
const KEPT_OUTPUT_CHARACTERS = 4000;

interface ServerOptions {
  dataDir: string;
  /** Empty for the embedded database. */
  databaseUrl: string;
  models: object[];
  env?: Record<string, string>;
  /** Next's own server in place of the product's. */
  isPlain?: boolean;
}

export interface RunningServer {
  url: string;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  /** Ends it with SIGKILL, as a machine that fails does. */
  kill(): Promise<void>;
}

/** The product as `npm start` runs it, on a free port. Resolves when it has answered its own first question. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(
    process.execPath,
    [
      ...["scripts/start.mjs", "--no-install", "--no-build", "--demo"],
      ...["--port", String(port), "--data-dir", options.dataDir],
      ...(options.isPlain ? ["--plain"] : []),
    ],
    { cwd: root, env: serverEnv(url, options), stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  const stop = () => stopProcess(child);
  try {
    await untilReady(child);
    const health = await fetch(`${url}/api/health`);
    if (!health.ok) {
      throw new Error(`/api/health answers ${health.status}`);
    }
    return { url, ended, signal, stop, kill: () => killTree(child) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs `npm run build` unless its outcome is there. */
export function buildIfAbsent(): void {
  if (existsSync(path.join(root, ".next/footnote/main.mjs"))) {
    return;
  }
  const { status } = spawnSync("npm", ["run", "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "inherit",
  });
  if (status !== 0) {
    throw new Error(`the build ended with status ${status}`);
  }
}

/** A database of this run's own on the server that TEST_DATABASE_URL names; without it, none. */
export async function createDatabase(
  purpose = "clients",
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    return { url: "", drop: async () => {} };
  }
  const name = `footnote_${purpose}_${process.pid}`;
  const drop = () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await drop();
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop };
}

function serverEnv(url: string, { databaseUrl, models, env }: ServerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: "production",
    // Blank, not absent: an absent one would be read from .env.
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: "",
    OPENAI_API_KEY: "",
    MODELS: JSON.stringify(models),
    APP_URL: url,
    NEXTAUTH_URL: url,
    NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE: "10000",
    LOG_LEVEL: "warn",
    ...env,
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`The server ${reason}. Its last output:\n${output}`));
    };
    const timer = setTimeout(() => fail("was not ready in time"), START_LIMIT_MS);
    const listen = (piece: Buffer) => {
      output = (output + piece.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
      if (output.includes("Footnote is ready")) {
        clearTimeout(timer);
        resolve();
      }
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("error", ({ message }) => fail(`did not start: ${message}`));
    child.once("exit", (code) => fail(`ended with status ${code}`));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const isEnded = await Promise.race([
    ended.then(() => true),
    sleep(STOP_LIMIT_MS, false, { ref: false }),
  ]);
  if (!isEnded) {
    child.kill("SIGKILL");
    await ended;
  }
}

/** The server is a child of the process that was started, which would let it end in its own time. */
async function killTree(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  for (const pid of children.split(" ").filter(Boolean)) {
    process.kill(Number(pid), "SIGKILL");
  }
  child.kill("SIGKILL");
  await ended;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
