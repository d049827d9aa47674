// `npm test`: installs what is missing, then runs the checks and tests that a change must pass, in minutes. CI
// (.ci/run) adds the rest. Node's own modules alone, because nothing is installed yet when it starts.
//
//   npm test                 checks, unit and integration tests, the main journeys, the real clients
//   npm test -- --rest       what that leaves out: other journeys, shifted clocks, fuzzing, faults, the npm package
//   npm test -- --server     the suites on the server that TEST_DATABASE_URL names; of the journeys, the main ones
//   npm test -- --image      the container image
//
// The last three use what the last `npm test` installed and built.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { checkNode, ensureInstalled, root, withLocalBin } from "./install.mjs";
import { printTable, readReports } from "./test-report.mjs";

const MINUTE_MS = 60_000;
/** Time for Playwright to stop its browser and server after an interrupt. */
const GRACE_MS = 15_000;
/** The caller's own settings: tests that saw them would pass on one machine and fail on another. */
const FOREIGN = [
  "DATABASE_URL",
  "OPENAI_BASE_URL",
  "OPENAI_API_KEY",
  "MODELS",
  "VERIFY_MODEL",
  "VERIFY_URL",
  "REWRITE_MODEL",
  "RATES_FILE",
  "SMTP_URL",
  "PAYMENTS",
  "STRIPE_API_BASE",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "GITHUB_CLIENT_ID",
  "GITHUB_CLIENT_SECRET",
  "GITHUB_URL",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
];

/** Where days, months and time zones decide: charts, budgets, ledgers, exports, expiry. */
const DATED = [
  ...[
    "components",
    "lib/money/billing",
    "lib/money/usage",
    "lib/money/keys",
    "lib/platform/limits",
    "lib/platform/auth",
  ],
  ...["app/api", "app/v1/billing"],
];

const reports = mkdtempSync(path.join(os.tmpdir(), "footnote-test-"));
const env = withLocalBin({
  ...process.env,
  FOOTNOTE_REPORT_DIR: reports,
  // Two busy cores have bad moments; a test that passes only the second time is listed at the end.
  FOOTNOTE_RETRIES: "1",
  NEXT_TELEMETRY_DISABLED: "1",
});
// Blank, not absent: an absent one would be read from .env.
for (const name of FOREIGN) {
  env[name] = "";
}
delete env.NODE_ENV;

const install = {
  name: "packages",
  work: () => {
    ensureInstalled();
    checkNode();
  },
};
/** Beside other steps: it mostly waits for the registry and the disk. */
const installClients = {
  name: "packages of the clients",
  work: () => run(["node", "scripts/install.mjs", "e2e/clients"], 15),
};

const generate = { name: "Prisma client", work: () => run(["prisma", "generate"], 5) };
const checks = {
  name: "types, lint, boundaries",
  advice: "`npm run verify` repeats these; `npm run format` fixes formatting.",
  work: async () => {
    await Promise.all([
      run(["npm", "run", "typecheck"], 10),
      run(["npm", "run", "lint"], 10).then(() => run(["npm", "run", "boundaries"], 10)),
    ]);
    await run(["knip"], 10);
  },
};
const unit = vitest("unit tests", "unit");
const integration = vitest("integration tests", "integration");
const http = vitest("public API over HTTP", "http");
const fuzz = vitest("fuzzing", "fuzz");
const killedJobs = vitest("killed workers", "faults");
const build = { name: "production build", work: () => run(["npm", "run", "build"], 15) };
const browser = {
  name: "browser",
  work: async () => {
    env.FOOTNOTE_CHROMIUM = await ensureBrowser(say);
  },
};
const mainJourneys = playwright("main journeys and pictures", ["--grep", "@main|screens.spec"]);
const otherJourneys = playwright("other journeys", ["--grep-invert", "@main|screens.spec"]);
// The pictures are taken on the embedded database, which follows their clock.
// The others differ in what the browser does, not in what a database does.
const serverJourneys = playwright("main journeys", [
  "--project=desktop",
  "--project=phone",
  "--grep=@main",
]);
const clients = built("real clients", "clients", ["--project", "routes"]);
const faults = built("faults", "faults");
const image = built("container image", "image");
const npmPackage = built("npm package", "package");
const clocks = [
  ["a leap day", "2028-02-29T12:00:00Z", "Asia/Kathmandu"],
  ["the last evening of a month", "2027-02-01T07:30:00Z", "America/Los_Angeles"],
].map(([name, clock, zone], index) => shifted(name, { clock, zone, index }));

// The clients mostly wait, for the end of a pause before a retry or of a stream, so they run beside the journeys.
const MODES = {
  "--rest": [otherJourneys, fuzz, killedJobs, faults, npmPackage, ...clocks],
  "--image": [image],
  "--server": [integration, http, fuzz, killedJobs, serverJourneys, faults],
};
const QUICK = [
  ...[install, generate, [checks, installClients], unit, integration],
  ...[build, browser, [mainJourneys, clients]],
];
const mode = process.argv.slice(2).find((argument) => argument in MODES);
/** In turn; those of a list together. */
const steps = mode ? [install, browser, ...MODES[mode]] : QUICK;

/** Commands that run now. */
const children = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    for (const child of children) {
      interrupt(child);
      child.once("close", () => children.size === 0 && process.exit(130));
    }
    setTimeout(() => process.exit(130), children.size > 0 ? GRACE_MS : 0);
  });
}
process.once("exit", () => {
  for (const child of children) {
    signalGroup(child, "SIGKILL");
  }
  rmSync(reports, { recursive: true, force: true });
});

const spent = [];
let failedSteps = 0;
for (const [index, step] of steps.entries()) {
  await Promise.all([step].flat().map((one) => take(one, `[${index + 1}/${steps.length}]`)));
  // In CI the other suites have their say as well; without a build or packages nothing has.
  if (failedSteps > 0 && !mode) {
    break;
  }
}
printTable([...spent, ["in all", seconds(0)]]);
const { passed, failed: failedTests, failures, flaky } = readReports(reports);
for (const name of failures) {
  console.log(`failed: ${name}`);
}
for (const name of flaky) {
  console.log(`flaky: ${name}`);
}
// A step that fails without a failed test counts as one.
const failed = Math.max(failedTests, failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Does a step's work and notes its time, and whether it failed. */
async function take({ name, advice, work }, position) {
  const label = `${position} ${name}`;
  const startedAt = performance.now();
  say(`${label} …`);
  try {
    await work();
    spent.push([name, seconds(startedAt)]);
    say(`${label}: done in ${seconds(startedAt)} s`);
  } catch (error) {
    say(`${label}: FAILED after ${seconds(startedAt)} s. ${error.message}`);
    if (advice) {
      say(advice);
    }
    spent.push([`${name} (failed)`, seconds(startedAt)]);
    failedSteps += 1;
  }
}

/** A step that runs one project of vitest.config.ts. */
function vitest(name, project) {
  const work = () => run(vitestCommand(["--project", project], project), 20);
  return { name, advice: "`npx vitest run <file>` repeats one file.", work };
}

/** A step on the built product, without a browser. */
function built(name, project, more = []) {
  const args = ["--config", "e2e/clients/vitest.config.ts", "--project", project, ...more];
  const work = () => run(vitestCommand(args, `built-${project}`), 15);
  return { name, advice: `\`npm run test:${project}\` repeats this step.`, work };
}

/** The tests that are about dates, at another instant and in another time zone; once each on one database. */
function shifted(name, { clock, zone, index }) {
  const args = [...["--project", "unit", "--project", "integration"], ...DATED];
  const changes = {
    FOOTNOTE_CLOCK: clock,
    FOOTNOTE_TEST_TZ: zone,
    NODE_OPTIONS: `--import ${new URL("../lib/testing/shifted-clock.mjs", import.meta.url).href}`,
  };
  const settings = Object.entries(changes).map(([key, value]) => `${key}="${value}"`);
  return {
    name: `dates: ${name}`,
    advice: `${settings.join(" ")} npx vitest run <file> repeats one file.`,
    work: () => run(vitestCommand(args, `clock-${index}`), 10, changes),
  };
}

function playwright(name, args) {
  return {
    name,
    advice:
      "`npm run test:e2e -- -g <title>` repeats one journey; its trace and screenshot are in test-results/.",
    work: () =>
      run(["playwright", "test", ...args], 40, {
        FOOTNOTE_REPORT_FILE: path.join(reports, `${name.replaceAll(" ", "-")}.json`),
      }),
  };
}

function vitestCommand(args, report) {
  const reporters = ["default", "json", "./lib/testing/flaky-reporter.mjs"];
  return [
    ...["vitest", "run", ...args, ...reporters.map((reporter) => `--reporter=${reporter}`)],
    `--outputFile.json=${path.join(reports, report)}.json`,
  ];
}

/** Runs a command with its output shown; rejects when it fails or takes longer than its limit. */
function run([command, ...args], limitMinutes, changes = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...env, ...changes },
      stdio: ["ignore", "inherit", "inherit"],
      // Its own group, so that a limit or an interrupt reaches what it started as well.
      detached: true,
    });
    children.add(child);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      interrupt(child);
    }, limitMinutes * MINUTE_MS);
    const finish = (problem) => {
      clearTimeout(timer);
      children.delete(child);
      problem ? reject(new Error(problem)) : resolve();
    };
    child.once("error", (error) => finish(`${command} did not start: ${error.message}.`));
    child.once("close", (code) =>
      finish(
        late
          ? `It was stopped at its limit of ${limitMinutes} minutes.`
          : code !== 0 && "Its output above says why.",
      ),
    );
  });
}

function interrupt(child) {
  signalGroup(child, "SIGINT");
  setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS).unref();
}

function signalGroup(child, signal) {
  if (child?.pid && child.exitCode === null && child.signalCode === null) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It ended by itself in between.
    }
  }
}

function say(line) {
  console.log(`test: ${line}`);
}

function seconds(startedAt) {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
