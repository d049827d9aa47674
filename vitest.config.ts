import path from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { classifyTests, DATABASE_PACKAGES } from "./lib/testing/classify-tests.ts";

const here = import.meta.dirname;
const alias = {
  "@": here,
  "server-only": path.join(here, "node_modules/server-only/empty.js"),
};
const noDatabase = path.join(here, "lib/testing/no-database.ts");

const { unit, processes, integration, http, fuzz, faults } = classifyTests();
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

// On the embedded database the public API's tests call the route handlers; on a server they go over HTTP, through the
// host of `npm start`. So nothing runs twice on one database.
const projects = [
  ...(isOnServer
    ? [
        withDatabase("integration", integration),
        withDatabase("http", http, { FOOTNOTE_TEST_HOST: "server" }),
      ]
    : [pure("unit", unit), withDatabase("integration", [...processes, ...integration, ...http])]),
  withDatabase("fuzz", fuzz),
  withDatabase("faults", faults),
];

export default defineConfig({
  test: {
    projects,
    pool: "forks",
    isolate: false,
    // All of them: what a test waits for is seldom this machine.
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // `npm test` lists a test that passes only the second time.
    retry: Number(process.env.FOOTNOTE_RETRIES ?? 0),
  },
});

/** No set-up: what these test needs no database, no server and no program. */
function pure(name: string, files: string[]): TestProjectConfiguration {
  const drivers = DATABASE_PACKAGES.map((driver) => [driver, noDatabase]);
  return {
    extends: true,
    resolve: { alias: { ...alias, ...Object.fromEntries(drivers) } },
    test: { name, include: files.map(literal), env: environment() },
  };
}

/** One database and one scripted upstream serve all files of a worker; tests make accounts of their own. */
export function withDatabase(
  name: string,
  files: string[],
  env: Record<string, string> = {},
): TestProjectConfiguration {
  return {
    extends: true,
    resolve: { alias },
    test: {
      name,
      include: files.map(literal),
      setupFiles: ["lib/testing/setup.ts"],
      globalSetup: ["lib/testing/global-setup.ts"],
      env: { ...environment(), ...env },
    },
  };
}

function environment(): Record<string, string> {
  return {
    LOG_LEVEL: "silent",
    NEXTAUTH_SECRET: "a-secret-for-tests-alone-0123456789",
    // An odd, non-UTC offset: code that forgets its time zone fails here instead of in production.
    TZ: process.env.FOOTNOTE_TEST_TZ ?? "Asia/Kathmandu",
  };
}

/** Folders of Next.js have names that a pattern would take for something else. */
function literal(file: string): string {
  return file.replace(/[()[\]{}!*?]/g, "\\$&");
}
