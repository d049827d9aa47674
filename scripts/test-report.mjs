import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

// What `npm test` says at its end.

/** The counts of the reports of vitest and Playwright in a folder, and the tests that passed only the second time. */
export function readReports(folder) {
  const reports = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => summarize(JSON.parse(readFileSync(path.join(folder, name), "utf8"))));
  const noted = path.join(folder, "flaky.txt");
  const sum = (name) => reports.reduce((total, report) => total + report[name], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    flaky: [
      ...(existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : []),
      ...reports.flatMap(({ flaky }) => flaky),
    ],
  };
}

/** Playwright's report has `stats`; vitest's has `numPassedTests`. */
function summarize(report) {
  if (report.stats) {
    const { expected, flaky, unexpected } = report.stats;
    return {
      passed: expected + flaky,
      failed: unexpected + report.errors.length,
      flaky: report.suites.flatMap(flakyJourneys),
    };
  }
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  );
  const failed = report.numFailedTests + unloadable.length;
  return { passed: report.numPassedTests, failed, flaky: [] };
}

function flakyJourneys({ suites = [], specs = [] }) {
  const flaky = specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  return [...suites.flatMap(flakyJourneys), ...flaky.map((spec) => `${spec.file} > ${spec.title}`)];
}

/** What each step took. */
export function printTable(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${"step".padEnd(width)}  seconds`);
  for (const [name, figure] of rows) {
    console.log(`${name.padEnd(width)}  ${figure.padStart(7)}`);
  }
  console.log("");
}
