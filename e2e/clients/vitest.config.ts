import { globSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { withDatabase } from "../../vitest.config";

const root = path.resolve(import.meta.dirname, "../..");

// `npm test` sets these to empty strings, which the clients would treat as invalid URLs.
for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY"]) {
  if (!process.env[name]) {
    delete process.env[name];
  }
}

/** The table test reads the other files' results, so it runs last. */
class TableLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isTable = ({ moduleId }: TestSpecification) => moduleId.endsWith("table.test.ts");
    return files.toSorted(
      (a, b) => Number(isTable(a)) - Number(isTable(b)) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}

const shared = {
  globalSetup: ["e2e/clients/global-setup.ts"],
  testTimeout: 20_000,
  hookTimeout: 20_000,
  // The product finishes open responses before it stops.
  teardownTimeout: 30_000,
  env: {
    TZ: "Asia/Kathmandu",
    // A developer's settings must not send test runs to a tracing service.
    LANGSMITH_TRACING: "false",
    LANGCHAIN_TRACING_V2: "false",
  },
};

/**
 * The real clients, `npm run test:clients`, and against the built server also faults, `npm run test:faults`, a failover,
 * `npm run test:cluster`, the container image, `npm run test:image`, the npm package, `npm run test:package`, and a local
 * embedding model, `npm run test:models`.
 */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    sequence: { sequencer: TableLast },
    // In sequence: clients share one balance, which disconnect tests measure, and faults need the whole machine.
    fileParallelism: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "clients",
          include: ["e2e/clients/*.test.ts"],
        },
      },
      // Clients that call the route handlers: what the upstream gets, and what an account pays, are at hand.
      withDatabase("routes", globSync("e2e/clients/routes/*.test.ts", { cwd: root })),
      {
        extends: true,
        test: { ...shared, name: "faults", include: ["e2e/faults/*.test.ts"] },
      },
      {
        extends: true,
        test: { ...shared, name: "cluster", include: ["e2e/cluster/*.test.ts"] },
      },
      {
        extends: true,
        test: { name: "models", include: ["e2e/models/*.test.ts"] },
      },
      {
        extends: true,
        test: { name: "image", include: ["e2e/image/*.test.ts"], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: "package", include: ["e2e/package/*.test.ts"] },
      },
    ],
  },
});
