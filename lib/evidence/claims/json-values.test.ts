import fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonValues, toJsonPath } from "./json-values";

test("each string and number stands where it says, under its path", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 3 }), (data, indent) => {
      const json = JSON.stringify(data, null, indent);
      const values = readJsonValues(json);
      for (const { value, path, start, end } of values) {
        expect(JSON.parse(json.slice(start, end))).toBe(value);
        const found = path.reduce<unknown>((at, step) => (at as never)[step], JSON.parse(json));
        expect(found).toBe(value);
      }
      expect(values.length).toBe(Math.min(1000, countScalars(data)));
    }),
    { numRuns: 1000 },
  );
});

function countScalars(data: unknown): number {
  if (typeof data === "object" && data !== null) {
    return Object.values(data).reduce<number>((sum, one) => sum + countScalars(one), 0);
  }
  return typeof data === "string" || typeof data === "number" ? 1 : 0;
}

test("paths are JSON paths", () => {
  expect(toJsonPath(["doses", 0, "per day", 'a"b', "amount"])).toBe(
    '$.doses[0]["per day"]["a\\"b"].amount',
  );
  expect(toJsonPath([])).toBe("$");
});

test("very deep data takes linear time and space, and its values stay unread", () => {
  const depth = 200_000;
  expect(readJsonValues(`${"[".repeat(depth)}1${"]".repeat(depth)}`)).toEqual([]);
});
