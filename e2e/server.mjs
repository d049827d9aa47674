// The built product on a throw-away data folder; with TEST_DATABASE_URL on a database of its own there.
// Both go when it stops.
//
//   node e2e/server.mjs --port 3199
//   node e2e/server.mjs --port 3299 --clock 2035-11-21T09:15:00Z
//
// With --clock the product starts at that instant, always on the embedded database, which follows its clock.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startFakeGitHub } from "./fake-github.mjs";

const { port, clock } = parseArgs({
  options: { port: { type: "string", default: "3199" }, clock: { type: "string" } },
}).values;
const server = clock ? "" : process.env.TEST_DATABASE_URL;
const database = `footnote_e2e_${process.pid}`;
/** More than the product takes to stop. */
const PASS_ON_MS = 2000;
const SHIFTED_CLOCK = new URL("../lib/testing/shifted-clock.mjs", import.meta.url).href;
const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-e2e-"));

const githubPort = Number(port) + 1;
startFakeGitHub(githubPort);
if (server) {
  await administer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await administer(`CREATE DATABASE ${database}`);
}
// With the demo account: the question that `npm start` proves itself with is then asked on every run.
const child = spawn(
  process.execPath,
  [
    "scripts/start.mjs",
    "--no-install",
    "--no-build",
    "--port",
    port,
    "--data-dir",
    dataDir,
    "--demo",
  ],
  {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...(clock && { FOOTNOTE_CLOCK: clock, NODE_OPTIONS: `--import ${SHIFTED_CLOCK}` }),
      // Blank, not absent: an absent one would be read from .env.
      DATABASE_URL: server ? databaseUrl() : "",
      OPENAI_BASE_URL: "",
      OPENAI_API_KEY: "",
      MODELS: "",
      VERIFY_MODEL: "",
      VERIFY_URL: "",
      REWRITE_MODEL: "",
      SMTP_URL: "",
      // Journeys that use up a limit by address name one of their own.
      TRUSTED_PROXIES: "1",
      LOG_RESET_LINKS: "true",
      GITHUB_CLIENT_ID: "journeys",
      GITHUB_CLIENT_SECRET: "journeys",
      GITHUB_URL: `http://localhost:${githubPort}`,
      APP_URL: `http://localhost:${port}`,
      NEXTAUTH_URL: `http://localhost:${port}`,
      NEXTAUTH_SECRET: randomBytes(32).toString("hex"),
      // A server's new accounts start with nothing; journeys spend the same on both databases.
      SIGNUP_GRANT_USD: "5",
      // All journeys come from one address.
      SIGN_UPS_PER_MINUTE: "1000",
      // On purpose: a production build takes no simulated payments by itself.
      PAYMENTS: "simulated",
      STRIPE_SECRET_KEY: "",
      STRIPE_WEBHOOK_SECRET: "",
      LOG_LEVEL: process.env.LOG_LEVEL || "warn",
    },
  },
);
child.stdout.pipe(process.stdout);
// Without a mail server, the log is where a link to a new password arrives.
const logFile = path.join(os.tmpdir(), `footnote-e2e-${port}.log`);
child.stdout.pipe(createWriteStream(logFile));
// A runner or a terminal signals the whole group: passing it on at once would signal the product twice.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => setTimeout(() => child.kill(signal), PASS_ON_MS));
}
const [code, signal] = await once(child, "exit");
await rm(dataDir, { recursive: true, force: true });
await rm(logFile, { force: true });
if (server) {
  await administer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
}
process.exit(signal ? 0 : code);

async function administer(statement) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseUrl() {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
