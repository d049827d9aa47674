import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { classifyTests } from "./classify-tests";

const root = path.resolve(import.meta.dirname, "../..");
const sorted = classifyTests();

describe("the suites", () => {
  it("hold every test of the source once", () => {
    const all = Object.values(sorted).flat();
    const tests = globSync("**/*.test.{ts,tsx}", {
      cwd: root,
      exclude: (name) => /^(node_modules|e2e|\.\w+)$/.test(name),
    });
    expect(all.toSorted()).toEqual(tests.toSorted());
  });

  it("are none of them empty, wherever files move", () => {
    for (const [suite, files] of Object.entries(sorted)) {
      expect(files, suite).not.toEqual([]);
    }
    expect(sorted.fuzz.length).toBeGreaterThan(2);
    expect(sorted.faults).toHaveLength(1);
  });

  it("keep the database out of unit tests, also behind what they import", () => {
    const withHelpers = sorted.unit.filter((test) =>
      /testing\/(api|factories|session)"|\bdb\/client"/.test(
        readFileSync(path.join(root, test), "utf8"),
      ),
    );
    expect(withHelpers).toEqual([]);
    expect(sorted.integration).toContain("lib/money/billing/write/money.test.ts");
    expect(sorted.unit).toContain("lib/evidence/claims/spans.test.ts");
  });
});
