import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkNode, ensureInstalled, node, readIfThere, root, withLocalBin } from "./install.mjs";
import { demoDefaults } from "./local-demo.mjs";
import { discoverModels } from "./local-models.mjs";
import { startServerProcess } from "./server-process.mjs";

// `npm start`: installs, generates, builds, sets up the database, serves, and asks one question as a check. Needs only
// npm and a Node that can run this file. Later starts skip finished steps.

// Next loads .env itself; the steps before it need the same variables.
if (existsSync(path.join(root, ".env"))) {
  process.loadEnvFile?.(path.join(root, ".env"));
}

/** What the build doesn't read, or writes itself. */
const NO_SOURCES = new Set([
  ...["e2e", "tests", "deploy", "node_modules", "test-results", "prisma"],
  ...["next-env.d.ts", "tsconfig.tsbuildinfo"],
]);

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: process.env.PORT ?? "3000" },
    "data-dir": { type: "string", default: process.env.DATA_DIR ?? ".data" },
    "no-install": { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
    // The demo account is created on the embedded database; on a server, only on request.
    demo: { type: "boolean", default: !process.env.DATABASE_URL },
    "no-demo": { type: "boolean", default: false },
    dev: { type: "boolean", default: false },
    // Next's own server, which serves the same routes, but slower.
    plain: { type: "boolean", default: false },
  },
});

const isDemo = options.demo && !options["no-demo"];
const dataDir = path.resolve(root, options["data-dir"]);
const url = process.env.APP_URL ?? `http://localhost:${options.port}`;
const startedAt = Date.now();

let server = null;

process.chdir(root);
try {
  await start();
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  await server?.fail();
  process.exit(1);
}

async function start() {
  if (!options["no-install"]) {
    await step("Packages", "Run npm start again once npm can reach its registry.", () =>
      ensureInstalled({ isProduction: !options.dev }),
    );
  }
  checkNode();
  await checkPort(Number(options.port));
  const models = await discoverModels(process.env, { isDemo });
  const env = serverEnv(models);
  if (!options["no-build"] && !options.dev) {
    await step("Build", "See the messages above; npm run build shows them again.", () =>
      build(env),
    );
  }
  const startOver = process.env.DATABASE_URL ? "" : " To start over, remove the data folder.";
  await step("Database", `See the message above.${startOver}`, () => setUp(env));
  server = serve(env);
  await step("Server", "See the messages above; set PORT to use another port.", healthy);
  if (isDemo) {
    await introduce(env, modelIn(models) ?? "footnote-extract-1");
  }
  for (const line of models.lines) {
    process.stdout.write(`\n${line}\n`);
  }
  process.stdout.write(
    `\nFootnote is ready at ${url} (${seconds(startedAt)}). Stop it with Ctrl-C.\n`,
  );
}

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

async function checkPort(port) {
  const probe = createServer().listen(port);
  await once(probe, "listening").catch(() => {
    throw new Error(
      `Port ${port} is in use. Stop the process using it, or choose another port: PORT=3001 npm start`,
    );
  });
  probe.close();
  await once(probe, "close");
}

function serverEnv({ MODELS }) {
  mkdirSync(dataDir, { recursive: true });
  const given = { ...process.env, ...(MODELS && { MODELS }) };
  return withLocalBin({
    ...given,
    NODE_ENV: options.dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: options.port,
    APP_URL: url,
    NEXTAUTH_URL: process.env.NEXTAUTH_URL ?? url,
    DATA_DIR: dataDir,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET ?? localSecret(),
    ...demoDefaults(given, { isDemo, url }),
  });
}

/** On a server database several processes share the secret, so the operator must set it. */
function localSecret() {
  if (process.env.DATABASE_URL && !isDemo) {
    throw new Error(
      "NEXTAUTH_SECRET is not set. Set it to a long random string, the same for every process.",
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
  const inputs = readdirSync(root).filter(
    (name) => !NO_SOURCES.has(name) && /^[^.]+$|^[^.].*\.(?:ts|m?js|json)$/.test(name),
  );
  const sources = fingerprint([
    ...inputs,
    "prisma/schema.prisma",
    "e2e/bench/README.md",
    "e2e/red-team/README.md",
  ]);
  if (readIfThere(stamp) === sources) {
    return false;
  }
  run(env, "npm", ["run", "--silent", "generate"]);
  run(env, "npm", ["run", "--silent", "build"]);
  writeFileSync(stamp, sources);
  return true;
}

function setUp(env) {
  const stamp = path.join(dataDir, "setup");
  const program = options.dev
    ? ["--conditions=react-server", "--import", "tsx", "scripts/setup.ts"]
    : [".next/footnote/setup.mjs"];
  const sources = options.dev ? ["scripts/setup.ts", "lib"] : [".next/footnote"];
  const inputs = `${fingerprint(["prisma", ...sources])} ${isDemo}`;
  // A server database may have been replaced or restored, so always check it.
  const hasDemo = !isDemo || existsSync(path.join(dataDir, "demo.json"));
  if (!process.env.DATABASE_URL && hasDemo && readIfThere(stamp) === inputs) {
    return false;
  }
  if (options.dev && !existsSync(path.join(root, "lib/generated"))) {
    run(env, "npm", ["run", "--silent", "generate"]);
  }
  run({ ...env, LOG_LEVEL: "warn" }, node(), [...program, ...(isDemo ? ["--demo"] : [])]);
  writeFileSync(stamp, inputs);
  return true;
}

/** A hash of all files below the paths, except tests and generated code. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (item) => {
    if (/lib\/generated$|\.test\.tsx?$/.test(item)) {
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
  const { status, error } = spawnSync(command, args, {
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
  const own = path.join(root, ".next/footnote/main.mjs");
  // Most objects die with their request: a larger young generation is collected a quarter as often.
  const program =
    options.dev || options.plain
      ? [next, options.dev ? "dev" : "start", ...(env.HOST ? ["-H", env.HOST] : [])]
      : ["--max-semi-space-size=64", own];
  return startServerProcess(node(), [...program, "-p", options.port], {
    cwd: root,
    env,
    stdio: "inherit",
  });
}

async function healthy() {
  const deadline = Date.now() + 60_000;
  const isUp = () =>
    fetch(`http://localhost:${options.port}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await isUp())) {
    if (Date.now() > deadline) {
      throw new Error("the server did not become healthy within 60 s");
    }
    await sleep(100);
  }
}

/** The default model. */
function modelIn({ MODELS }) {
  return MODELS && JSON.parse(MODELS)[0].id;
}

/** On the first start, asks one question over HTTP; then prints how to sign in. */
async function introduce(env, model) {
  const file = path.join(dataDir, "demo.json");
  const demo = JSON.parse(readFileSync(file, "utf8"));
  const base = `http://localhost:${options.port}/v1`;
  const checked = path.join(dataDir, "proved");
  // The image doesn't contain the question.
  if (!existsSync(checked) && existsSync(path.join(root, "scripts/smoke-test.mjs"))) {
    const remedy =
      "The server runs, but didn't answer the test question with a citation: see the message above. The next start asks again.";
    await step("Check", remedy, async () => {
      run({ ...env, FOOTNOTE_API_KEY: demo.test_key, FOOTNOTE_BASE_URL: base }, node(), [
        "scripts/smoke-test.mjs",
      ]);
      writeFileSync(checked, new Date().toISOString());
    }).catch(({ message }) => process.stderr.write(`\nWarning: ${message}\n`));
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
      `  -d '{"model": "${model}", "messages": [{"role": "user", "content": "What are the signs of a stroke?"}], "citations": {"enabled": true, "required": true}}'`,
      "",
    ].join("\n"),
  );
}
