import { expect, it } from "vitest";
import { createStatementNamer } from "./tenant-prisma";

it("names statements by their text, up to 200 of them", () => {
  const nameOf = createStatementNamer();
  const first = nameOf({ sql: "SELECT 0" });
  const named = Array.from({ length: 300 }, (_, index) => nameOf({ sql: `SELECT ${index}` }));
  expect(first).toBe(named[0]);
  expect(new Set(named).size).toBe(201);
  expect(named.slice(0, 200)).not.toContain("");
  expect(named.slice(200).join("")).toBe("");
  expect(nameOf({ sql: "SELECT 7" })).toBe(named[7]);
});
