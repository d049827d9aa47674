import path from "node:path";
import { defineConfig, devices } from "@playwright/test";

const port = 3199;
const baseURL = `http://localhost:${port}`;
const reportDir = process.env.FOOTNOTE_REPORT_DIR;

/** The running product in a real browser: the production build, on a fresh data folder or database. */
export default defineConfig({
  testDir: "e2e/journeys",
  // One server and two cores: a second browser would only slow the first.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  // A journey that passes only the second time is listed as flaky; a browser on two busy cores has bad moments.
  retries: process.env.CI ? 1 : 0,
  // What a busy machine may take; a journey that waits for what never comes still ends.
  timeout: 60_000,
  // One reference for every machine. Two runs on one draw the same pixels, and a button with other corners is some
  // hundred; another machine draws what Geist has no letter for with fonts of its own.
  snapshotPathTemplate: "{testDir}/screens/{arg}{ext}",
  expect: {
    timeout: 10_000,
    toHaveScreenshot: {
      threshold: 0.2,
      ...(process.env.CI ? { maxDiffPixelRatio: 0.02 } : { maxDiffPixels: 400 }),
    },
  },
  reporter: reportDir
    ? [["list"], ["json", { outputFile: path.join(reportDir, "playwright.json") }]]
    : [["list"]],
  use: {
    baseURL,
    // A trace costs every step its time, so in CI only the second try keeps one.
    trace: process.env.CI ? "on-first-retry" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.FOOTNOTE_CHROMIUM || "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // @phone: on both. @phone-only: what a wide window does not show.
  projects: [
    { name: "desktop", grepInvert: /@phone-only/, use: devices["Desktop Chrome"] },
    {
      name: "phone",
      grep: /@phone/,
      use: {
        ...devices["Desktop Chrome"],
        viewport: { width: 375, height: 812 },
        isMobile: true,
        hasTouch: true,
      },
    },
  ],
  webServer: {
    command: `node e2e/server.mjs --port ${port}`,
    url: `${baseURL}/api/health`,
    timeout: 180_000,
    stdout: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
  },
});
