import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, root, withLocalBin } from "./install.mjs";

// `npm start`: installs, generates, builds, sets the database up, serves, and proves itself with one
// question. Needs nothing but Node 20 and npm; each step is skipped when its outcome is there already.

// Next reads .env by itself; what runs before it must see the same.
if (existsSync(path.join(root, ".env"))) {
  process.loadEnvFile?.(path.join(root, ".env"));
}

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: process.env.PORT ?? "3000" },
    "data-dir": { type: "string", default: process.env.DATA_DIR ?? ".data" },
    "no-install": { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
    // The demo account is made on the embedded database, and on a server only when asked for.
    demo: { type: "boolean", default: !process.env.DATABASE_URL },
    "no-demo": { type: "boolean", default: false },
    dev: { type: "boolean", default: false },
    // Next's own server alone, which serves the same routes, only slower.
    plain: { type: "boolean", default: false },
  },
});

const isDemo = options.demo && !options["no-demo"];
const dataDir = path.resolve(root, options["data-dir"]);
const url = process.env.APP_URL ?? `http://localhost:${options.port}`;
const startedAt = Date.now();

process.chdir(root);
try {
  await start();
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}

async function start() {
  if (!options["no-install"]) {
    await step("Packages", "Run npm start again when npm reaches its registry.", () =>
      ensureInstalled(() => {}),
    );
  }
  await refuseBusyPort(Number(options.port));
  const env = serverEnv();
  if (!options["no-build"] && !options.dev) {
    await step("Build", "Read the messages above; npm run build shows them again.", () =>
      build(env),
    );
  }
  await step("Database", "Read the message above. To begin anew, remove the data folder.", () =>
    setUp(env),
  );
  const server = serve(env);
  await step("Server", "Read the messages above; another port can be chosen with PORT.", () =>
    healthy(server),
  );
  if (isDemo) {
    await introduce(env);
  }
  process.stdout.write(
    `\nFootnote is ready at ${url} (${seconds(startedAt)}). Stop it with Ctrl-C.\n`,
  );
}

/** A progress line for a piece of work: what it is, whether it was needed, how long it took. */
async function step(name, remedy, work) {
  const since = Date.now();
  process.stdout.write(`${name} …\n`);
  try {
    const wasNeeded = await work();
    process.stdout.write(
      `${name}: ${wasNeeded === false ? "nothing to do" : "done"} (${seconds(since)})\n`,
    );
  } catch (error) {
    throw new Error(`${name} failed: ${error.message}\n${remedy}`);
  }
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

function refuseBusyPort(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", () =>
      reject(
        new Error(
          `Port ${port} is in use. Stop what uses it, or choose another: PORT=3001 npm start`,
        ),
      ),
    );
    probe.listen(port, () => probe.close(() => resolve()));
  });
}

function serverEnv() {
  mkdirSync(dataDir, { recursive: true });
  return withLocalBin({
    ...process.env,
    NODE_ENV: options.dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: options.port,
    APP_URL: url,
    NEXTAUTH_URL: process.env.NEXTAUTH_URL ?? url,
    DATA_DIR: dataDir,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? localSecret(),
    ...(simulatesPayments() && { PAYMENTS: "simulated" }),
  });
}

/** The demo on this machine alone can show a top-up; a server's payments are what its operator says they are. */
function simulatesPayments() {
  const { DATABASE_URL, PAYMENTS, STRIPE_SECRET_KEY, OPENAI_API_KEY, MODELS } = process.env;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
  const isChosen = PAYMENTS || STRIPE_SECRET_KEY;
  // Simulated funds must not buy what a real upstream bills to the operator.
  const costsNothing = !OPENAI_API_KEY && !MODELS;
  return isDemo && isHere && costsNothing && !DATABASE_URL && !isChosen;
}

/** On a server database the operator names the secret: several processes must share it. */
function localSecret() {
  if (process.env.DATABASE_URL && !isDemo) {
    throw new Error(
      "NEXTAUTH_SECRET is not set. Set it to a long random text, the same for every process.",
    );
  }
  const file = path.join(dataDir, "secret");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
  }
  return readFileSync(file, "utf8").trim();
}

function build(env) {
  const stamp = path.join(root, ".next/footnote-build");
  const sources = fingerprint([
    "app",
    "components",
    "docs",
    "e2e/bench/README.md",
    "e2e/red-team/README.md",
    "lib",
    "public",
    "server",
    "prisma/schema.prisma",
    "instrumentation.ts",
    "instrumentation-client.ts",
    "next.config.ts",
    "proxy.ts",
    "postcss.config.mjs",
    "tsconfig.json",
    "package-lock.json",
  ]);
  if (readIfThere(stamp) === sources) {
    return false;
  }
  run(env, "prisma", ["generate"]);
  run(env, "next", ["build"]);
  run(env, "vite", ["build", "--config", "server/vite.config.ts", "--logLevel", "warn"]);
  writeFileSync(stamp, sources);
  return true;
}

function setUp(env) {
  const stamp = path.join(dataDir, "setup");
  const inputs = `${fingerprint(["prisma", "scripts/setup.ts", "lib"])} ${isDemo}`;
  // A server database may be another one, or a restored one, so it is always looked at.
  const isMade = !isDemo || existsSync(path.join(dataDir, "demo.json"));
  if (!process.env.DATABASE_URL && isMade && readIfThere(stamp) === inputs) {
    return false;
  }
  if (options["no-build"] && !existsSync(path.join(root, "lib/generated"))) {
    run(env, "prisma", ["generate"]);
  }
  run({ ...env, LOG_LEVEL: "warn" }, "tsx", [
    "--conditions=react-server",
    "scripts/setup.ts",
    ...(isDemo ? ["--demo"] : []),
  ]);
  writeFileSync(stamp, inputs);
  return true;
}

/** Changes when a file below the paths is added, removed or written; generated code aside. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (item) => {
    if (item.endsWith("lib/generated") || !existsSync(item)) {
      return;
    }
    if (statSync(item).isDirectory()) {
      for (const name of readdirSync(item).sort()) {
        visit(path.join(item, name));
      }
    } else {
      hash.update(item).update("\0").update(readFileSync(item));
    }
  };
  paths.forEach(visit);
  return hash.digest("hex");
}

function run(env, command, args) {
  const { status, error } = spawnSync(path.join(root, "node_modules/.bin", command), args, {
    cwd: root,
    env,
    stdio: "inherit",
  });
  if (status !== 0) {
    throw new Error(error?.message ?? `${command} ${args[0]} ended with status ${status}`);
  }
}

function serve(env) {
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const node = path.join(root, "node_modules/.bin/node");
  const own = path.join(root, ".next/footnote/main.mjs");
  // Most of what a request makes is forgotten with it: in more room for the young, it is swept a quarter as often.
  const program =
    options.dev || options.plain
      ? [next, options.dev ? "dev" : "start"]
      : ["--max-semi-space-size=64", own];
  const server = spawn(
    existsSync(node) ? node : process.execPath,
    [...program, "-p", options.port],
    { cwd: root, env, stdio: "inherit" },
  );
  server.on("exit", (code, signal) => process.exit(signal ? 0 : (code ?? 1)));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => server.kill(signal));
  }
  return server;
}

async function healthy() {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const isUp = await fetch(`http://localhost:${options.port}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error("the server did not become healthy within 60 s");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** On the first start the product answers a question through its own door; then it says how to go on. */
async function introduce(env) {
  const file = path.join(dataDir, "demo.json");
  const demo = JSON.parse(readFileSync(file, "utf8"));
  const base = `http://localhost:${options.port}/v1`;
  const proof = path.join(dataDir, "proved");
  if (!existsSync(proof)) {
    await step("Proof", "The server runs, but its answer was not as it should be.", async () => {
      run({ ...env, FOOTNOTE_API_KEY: demo.test_key, FOOTNOTE_BASE_URL: base }, "node", [
        "scripts/smoke-test.mjs",
      ]);
      writeFileSync(proof, new Date().toISOString());
    });
  }
  process.stdout.write(
    [
      "",
      `Console:  ${url}  (sign in as ${demo.email} with ${demo.password})`,
      `Test key: ${demo.test_key}`,
      `Live key: ${demo.live_key}`,
      "",
      `curl ${base}/chat/completions -H "Authorization: Bearer ${demo.test_key}" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"model": "footnote-extract-1", "messages": [{"role": "user", "content": "What are the signs of a stroke?"}], "citations": {"enabled": true}}'`,
      "",
    ].join("\n"),
  );
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
