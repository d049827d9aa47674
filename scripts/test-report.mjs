import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

// What `npm test` says at its end, from the reports of vitest and Playwright.

/** The counts of every report that was written. A step that fails without a failed test counts as one. */
export function countTests(steps, reports, failedSteps) {
  const sum = { passed: 0, failed: 0 };
  for (const { report } of steps) {
    const file = report && path.join(reports, report);
    if (file && existsSync(file)) {
      const counts = count(JSON.parse(readFileSync(file, "utf8")));
      sum.passed += counts.passed;
      sum.failed += counts.failed;
    }
  }
  return { ...sum, failed: Math.max(sum.failed, failedSteps) };
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

/** Names of the tests that passed only the second time. */
export function flakyTests(steps, reports) {
  const noted = path.join(reports, "flaky.txt");
  const fromVitest = existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : [];
  return [
    ...fromVitest,
    ...steps.flatMap(({ report }) => flakyJourneys(report && path.join(reports, report))),
  ];
}

function flakyJourneys(file) {
  const { suites = [] } = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const flaky = (suite) => [
    ...(suite.suites ?? []).flatMap(flaky),
    ...(suite.specs ?? [])
      .filter(({ tests }) => tests.some(({ status }) => status === "flaky"))
      .map((spec) => `${spec.file} > ${spec.title}`),
  ];
  return suites.flatMap(flaky);
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
