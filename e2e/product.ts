import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

// The built product in a process of its own: the one way that clients, faults and benches start it.

const root = path.resolve(import.meta.dirname, "..");
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 20;
/** The last output of a server that fails to start, shown with the failure. */
const SHOWN_OUTPUT_CHARACTERS = 4000;
/** Blank, not absent: absent ones would be read from .env. */
const BLANK_SETTINGS = Object.fromEntries(
  [
    ...["DATABASE_URL", "REDIS_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "MODELS"],
    ...["EMBEDDING_MODEL", "VERIFY_MODEL", "REWRITE_MODEL", "RATES_FILE", "SMTP_URL"],
    ...["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "PAYMENTS"],
  ].map((name) => [name, ""]),
);

interface StartOptions {
  dataDir: string;
  /** Empty for the embedded database. */
  databaseUrl?: string;
  models?: object[];
  env?: Record<string, string>;
  port?: number;
  /** Seeds the demo account, and resolves when the server has answered its own first question. The default. */
  isDemo?: boolean;
  /** Runs Next's own server in place of the product's. */
  isPlain?: boolean;
  /** A file that gets everything it writes. */
  logFile?: string;
  /** The checkout whose build runs; this one by default. */
  checkout?: string | undefined;
}

export interface RunningServer {
  url: string;
  pid: number;
  /** When its process was started, by `performance.now()`. */
  startedAt: number;
  /** From then to the first 200 of /api/health. */
  healthyMs: number;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  /** Ends it with SIGKILL, as a machine that fails does. */
  kill(): Promise<void>;
}

/** Starts the built product as the image and `npm start` run it. Rejects with its last output when it does not become ready. */
export async function startServer({
  isDemo = true,
  ...options
}: StartOptions): Promise<RunningServer> {
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const startedAt = performance.now();
  const child = spawn(
    "sh",
    [
      ...["deploy/image/footnote", "server"],
      ...["--port", String(port), "--data-dir", options.dataDir],
      isDemo ? "--demo" : "--no-demo",
      ...(options.isPlain ? ["--plain"] : []),
    ],
    {
      cwd: options.checkout ?? root,
      env: serverEnv(url, options),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    const output = recordOutput(child, options.logFile);
    const isReady = async () =>
      (!isDemo || output().includes("Footnote is ready")) && (await isHealthy(url));
    await waitUntil(isReady, child, output);
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
  return {
    url,
    pid: child.pid ?? 0,
    startedAt,
    healthyMs: Math.round(performance.now() - startedAt),
    ended,
    signal: (name) => void child.kill(name),
    stop: () => stopProcess(child),
    kill: () => killTree(child),
  };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Runs `npm run build` unless the project is built already. */
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

/** A new database on the server that TEST_DATABASE_URL names; without it, an empty URL. */
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

function serverEnv(url: string, options: StartOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...BLANK_SETTINGS,
    NODE_ENV: "production",
    DATABASE_URL: options.databaseUrl ?? "",
    MODELS: options.models ? JSON.stringify(options.models) : "",
    APP_URL: url,
    NEXTAUTH_URL: url,
    NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
    REQUESTS_PER_MINUTE: "10000",
    CONSOLE_REQUESTS_PER_MINUTE: "10000",
    UPLOADS_PER_MINUTE: "10000",
    LOG_LEVEL: "warn",
    ...options.env,
  };
}

/** Drains what a process writes and keeps the end of it. */
function recordOutput(child: ChildProcess, logFile?: string): () => string {
  let output = "";
  const record = (piece: Buffer) => {
    output = (output + piece.toString()).slice(-SHOWN_OUTPUT_CHARACTERS);
    if (logFile) {
      appendFileSync(logFile, piece);
    }
  };
  child.stdout?.on("data", record);
  child.stderr?.on("data", record);
  return () => output;
}

/** Polls until a process is ready; throws when it exits first or takes too long. */
export async function waitUntil(
  isReady: () => Promise<boolean>,
  child: ChildProcess,
  output: () => string = () => "",
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      throw new Error(`The server did not start. Its last output:\n${output()}`);
    }
    await sleep(POLL_MS);
  }
}

/** Whether a server answers 200 at a path. */
export function isHealthy(origin: string, healthPath = "/api/health"): Promise<boolean> {
  return fetch(origin + healthPath).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Ends a process with SIGTERM, and with SIGKILL when it takes too long. */
export async function stopProcess(child: ChildProcess): Promise<void> {
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

/** The server is a child of the start script, which would let it end in its own time. */
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
