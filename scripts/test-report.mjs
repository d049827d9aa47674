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
    failures: reports.flatMap(({ failures }) => failures),
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
      failures: report.suites.flatMap((suite) => journeys(suite, "unexpected")),
      flaky: report.suites.flatMap((suite) => journeys(suite, "flaky")),
    };
  }
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  );
  const failed = report.numFailedTests + unloadable.length;
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => `${path.basename(name)} > ${fullName}`),
  );
  const files = unloadable.map(({ name }) => `${path.basename(name)} (not loaded)`);
  return { passed: report.numPassedTests, failed, failures: [...failures, ...files], flaky: [] };
}

function journeys({ suites = [], specs = [] }, wanted) {
  const found = specs.filter(({ tests }) => tests.some(({ status }) => status === wanted));
  return [
    ...suites.flatMap((suite) => journeys(suite, wanted)),
    ...found.map((spec) => `${spec.file} > ${spec.title}`),
  ];
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
