import path from "node:path";
import { defineConfig, devices, type LaunchOptions } from "@playwright/test";

const port = 3199;
const baseURL = `http://localhost:${port}`;
const PICTURES = "screens.spec.ts";
const FONTS = path.resolve("e2e/journeys/fonts.conf");
const reportFile = process.env.FOOTNOTE_REPORT_FILE;
const retries = Number(process.env.FOOTNOTE_RETRIES ?? 0);

const launchOptions: LaunchOptions = {
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
};

/** The running product in a real browser: the production build, on a fresh data folder or database. */
export default defineConfig({
  testDir: "e2e/journeys",
  // Each journey makes accounts of its own, so they may run beside each other.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // `npm test` lists a journey that passes only the second time.
  retries,
  // What a busy machine may take; a journey that waits for what never comes still ends.
  timeout: 90_000,
  snapshotPathTemplate: "{testDir}/screens/{arg}{ext}",
  expect: {
    timeout: 20_000,
    // One rule everywhere: clock, data and fonts are fixed, and a button with other corners is some hundred pixels.
    toHaveScreenshot: { threshold: 0.2, maxDiffPixels: 400 },
  },
  reporter: reportFile ? [["list"], ["json", { outputFile: reportFile }]] : [["list"]],
  use: {
    baseURL,
    // A trace slows every step, so with retries only the second try keeps one.
    trace: retries > 0 ? "on-first-retry" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions,
  },
  // @phone: on both. @phone-only: what a wide window does not show.
  projects: [
    {
      name: "desktop",
      testIgnore: PICTURES,
      grepInvert: /@phone-only/,
      use: devices["Desktop Chrome"],
    },
    {
      name: "phone",
      testIgnore: PICTURES,
      grep: /@phone/,
      use: {
        ...devices["Desktop Chrome"],
        viewport: { width: 375, height: 812 },
        isMobile: true,
        hasTouch: true,
      },
    },
    {
      name: "pictures",
      testMatch: PICTURES,
      // They share a server of their own, whose clock is fixed.
      fullyParallel: false,
      use: {
        ...devices["Desktop Chrome"],
        launchOptions: { ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: FONTS } },
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
