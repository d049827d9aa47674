import path from "node:path";
import { defineConfig } from "vitest/config";

const here = import.meta.dirname;

export default defineConfig({
  resolve: {
    alias: { "@": here, "server-only": path.join(here, "node_modules/server-only/empty.js") },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["{app,components,deploy,lib,prisma,scripts,server,tests}/**/*.test.{ts,tsx}"],
        },
      },
      {
        // Once more over HTTP, by the host of `npm start`.
        extends: true,
        test: {
          name: "server",
          include: ["app/v1/**/*.test.ts", "lib/{chat,models/vendor,telemetry}/**/*.test.ts"],
          env: { FOOTNOTE_TEST_HOST: "server" },
        },
      },
    ],
    setupFiles: ["lib/testing/setup.ts"],
    globalSetup: ["lib/testing/global-setup.ts"],
    // One database and one scripted upstream serve all files of a worker; tests make accounts of their own.
    pool: "forks",
    isolate: false,
    // Two busy cores have bad moments; a test that passes only the second time is listed with its retry.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // An odd, non-UTC offset: code that forgets its time zone fails here instead of in production.
    env: { TZ: "Asia/Kathmandu" },
  },
});
