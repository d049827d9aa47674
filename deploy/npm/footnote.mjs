#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

// The npm package's command: footnote [start] | worker | doctor | kb … | billing …. Reads settings from the environment and
// from .env in the current folder, and keeps data in footnote-data there unless DATA_DIR names another folder.

const HELP = `Usage: footnote [start] [--port 3000] [--no-demo]   serves, on an embedded database unless DATABASE_URL names one
       footnote worker | doctor | kb … | billing …    "help" after kb or billing lists their commands
       footnote --version
`;
const app = path.join(import.meta.dirname, "app");
const PROGRAMS = new Map([
  ["start", [path.join(app, "scripts/start.mjs"), "--no-install", "--no-build"]],
  ["worker", ["--max-semi-space-size=4", ".next/footnote/worker.mjs"]],
  ["doctor", [".next/footnote/doctor.mjs"]],
  ["kb", [".next/footnote/kb.mjs"]],
  ["billing", [".next/footnote/billing.mjs"]],
]);
/** Settings that name a file or a folder. */
const PATHS = ["DATA_DIR", "RATES_FILE", "OCR_LANG_PATH"];

const given = process.argv.slice(2);
const command = given[0]?.startsWith("-") ? "start" : (given.shift() ?? "start");
const program = PROGRAMS.get(command);
if (
  command === "help" ||
  (command === "start" && given.some((one) => /^(?:-h|--help)$/.test(one)))
) {
  process.stdout.write(HELP);
} else if (given[0] === "--version") {
  const { version } = JSON.parse(readFileSync(path.join(app, "package.json"), "utf8"));
  process.stdout.write(`${version}\n`);
} else if (!program) {
  fail(`There is no command ${command}.\n${HELP}`);
} else if (given.some((one) => one.startsWith("--data-dir"))) {
  fail("Name the data folder in DATA_DIR.\n");
} else {
  await run([...program, ...given]);
}

function fail(message) {
  process.stderr.write(message);
  process.exitCode = 2;
}

async function run(args) {
  if (existsSync(".env")) {
    process.loadEnvFile(".env");
  }
  const folder = process.cwd();
  const settings = { ...process.env, DATA_DIR: process.env.DATA_DIR || "footnote-data" };
  const places = PATHS.filter((name) => settings[name]).map((name) => [
    name,
    path.resolve(folder, settings[name]),
  ]);
  const { startServerProcess } = await import(
    new URL("app/scripts/server-process.mjs", import.meta.url)
  );
  startServerProcess(process.execPath, args, {
    // The programs find their own files here, and the caller's by INIT_CWD.
    cwd: app,
    env: {
      NODE_ENV: "production",
      // glibc then returns at once what a worker frees, as in the image.
      ...(command === "worker" && {
        MALLOC_TRIM_THRESHOLD_: "131072",
        MALLOC_MMAP_THRESHOLD_: "131072",
      }),
      ...settings,
      ...Object.fromEntries(places),
      INIT_CWD: folder,
    },
    stdio: "inherit",
  });
}
