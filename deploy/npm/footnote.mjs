#!/usr/bin/env node
import { existsSync } from "node:fs";
import path from "node:path";

// The npm package's command: footnote [start] | worker | doctor | kb … | billing …. Settings are in the environment and in the .env
// of the folder it is called in, and data is in that folder's footnote-data unless DATA_DIR names another.

const HELP = `Usage: footnote [start] [--port 3000] [--no-demo]   serves, on an embedded database unless DATABASE_URL names one
       footnote worker | doctor | kb … | billing …    "help" after kb or billing lists their commands
`;
const app = path.join(import.meta.dirname, "app");
const { startServerProcess } = await import(
  new URL("app/scripts/server-process.mjs", import.meta.url)
);
const PROGRAMS = {
  start: [path.join(app, "scripts/start.mjs"), "--no-install", "--no-build"],
  worker: ["--max-semi-space-size=4", ".next/footnote/worker.mjs"],
  doctor: [".next/footnote/doctor.mjs"],
  kb: [".next/footnote/kb.mjs"],
  billing: [".next/footnote/billing.mjs"],
};

const given = process.argv.slice(2);
const [command, args] = /^-(?!-?h)/.test(given[0] ?? "-p")
  ? ["start", given]
  : [given[0], given.slice(1)];
const program = PROGRAMS[command];
if (program) {
  run(program, args);
} else {
  const isHelp = /^(?:-h|--help|help)$/.test(command);
  process[isHelp ? "stdout" : "stderr"].write(
    isHelp ? HELP : `There is no command ${command}.\n${HELP}`,
  );
  process.exitCode = isHelp ? 0 : 2;
}

function run(program, args) {
  if (existsSync(".env")) {
    process.loadEnvFile(".env");
  }
  const folder = process.cwd();
  startServerProcess(process.execPath, [...program, ...args], {
    // The other programs read their own files there, and a caller's below INIT_CWD.
    cwd: program === PROGRAMS.start ? folder : app,
    env: {
      ...process.env,
      INIT_CWD: folder,
      DATA_DIR: path.resolve(folder, process.env.DATA_DIR || "footnote-data"),
    },
    stdio: "inherit",
  });
}
