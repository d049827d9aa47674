// `npm test`: installs what is missing, then runs every check and every test. Node's own modules alone,
// because nothing is installed yet when it starts.
//
//   npm test                 everything
//   npm test -- --suites     only the tests, on what the last full run installed and built
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { ensureInstalled, root, withLocalBin } from "./install.mjs";

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
  "RATES_FILE",
  "SMTP_URL",
  "PAYMENTS",
  "STRIPE_API_BASE",
];
const FOREIGN_CREDENTIALS = [
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "GITHUB_CLIENT_ID",
  "GITHUB_CLIENT_SECRET",
  "GITHUB_URL",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
];

const reports = mkdtempSync(path.join(os.tmpdir(), "footnote-test-"));
const env = withLocalBin({
  ...process.env,
  FOOTNOTE_REPORT_DIR: reports,
  NEXT_TELEMETRY_DISABLED: "1",
});
// Blank, not absent: an absent one would be read from .env.
for (const name of [...FOREIGN, ...FOREIGN_CREDENTIALS]) {
  env[name] = "";
}
delete env.NODE_ENV;

const install = { name: "packages", work: () => ensureInstalled(say) };
const generate = { name: "Prisma client", work: () => run("prisma", ["generate"], 5) };
const verify = {
  name: "types, lint, boundaries, unit and route tests",
  report: "verify.json",
  advice:
    "`npm run verify` repeats this step; `npx biome check --write` mends what is only format.",
  work: () => run("npm", ["run", "verify", "--", ...vitestReport("verify.json")], 20),
};
const unit = {
  name: "unit and route tests",
  report: "unit.json",
  advice: "`npx vitest run <file>` repeats one file.",
  work: () => run("vitest", ["run", ...vitestReport("unit.json")], 20),
};
const build = { name: "production build", work: () => run("npm", ["run", "build"], 15) };
const browser = {
  name: "browser",
  work: async () => {
    env.FOOTNOTE_CHROMIUM = await ensureBrowser(say);
  },
};
const journeys = {
  name: "journeys in the browser",
  report: "playwright.json",
  advice: "`npm run e2e -- -g <title>` repeats one journey; what it saw is in test-results/.",
  work: () => run("npm", ["run", "e2e"], 30),
};
const clients = {
  name: "real clients",
  report: "clients.json",
  advice: "`npm run clients` repeats this step.",
  work: () => run("npm", ["run", "clients", "--", ...vitestReport("clients.json")], 15),
};

const suitesOnly = process.argv.includes("--suites");
const steps = suitesOnly
  ? [install, unit, browser, journeys, clients]
  : [install, generate, verify, build, browser, journeys, clients];

let current = null;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    interrupt(current);
    setTimeout(() => process.exit(130), current ? GRACE_MS : 0).unref();
    current?.once("close", () => process.exit(130));
  });
}
process.once("exit", () => {
  signalGroup(current, "SIGKILL");
  rmSync(reports, { recursive: true, force: true });
});

const failedSteps = [];
for (const [index, step] of steps.entries()) {
  const label = `[${index + 1}/${steps.length}] ${step.name}`;
  const startedAt = performance.now();
  say(`${label} …`);
  try {
    await step.work();
    say(`${label}: done in ${seconds(startedAt)}`);
  } catch (error) {
    say(`${label}: FAILED after ${seconds(startedAt)}. ${error.message}`);
    if (step.advice) {
      say(step.advice);
    }
    failedSteps.push(step);
    break;
  }
}
const { passed, failed } = total();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failedSteps.length > 0 || failed > 0 ? 1 : 0);

/** The counts of every report that was written. A step that fails without a failed test counts as one. */
function total() {
  const sum = { passed: 0, failed: 0 };
  for (const { report } of steps) {
    const file = report && path.join(reports, report);
    if (file && existsSync(file)) {
      const counts = count(JSON.parse(readFileSync(file, "utf8")));
      sum.passed += counts.passed;
      sum.failed += counts.failed;
    }
  }
  return { ...sum, failed: Math.max(sum.failed, failedSteps.length) };
}

/** Playwright's report has `stats`; vitest's has `numPassedTests`. */
function count(report) {
  if (report.stats) {
    const { expected, flaky, unexpected } = report.stats;
    return { passed: expected + flaky, failed: unexpected + report.errors.length };
  }
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable.length };
}

function vitestReport(file) {
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${path.join(reports, file)}`];
}

/** Runs a command with its output shown; rejects when it fails or takes longer than its limit. */
function run(command, args, limitMinutes) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
      // Its own group, so that a limit or an interrupt reaches what it started as well.
      detached: true,
    });
    current = child;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      interrupt(child);
    }, limitMinutes * MINUTE_MS);
    const finish = (problem) => {
      clearTimeout(timer);
      current = null;
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
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
