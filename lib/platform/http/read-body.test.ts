import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceedsValueCount } from "./read-body";

function count(text: string): number {
  const bytes = new TextEncoder().encode(text);
  let most = 0;
  while (exceedsValueCount(bytes, most)) {
    most += 1;
  }
  return most;
}

describe("exceedsValueCount", () => {
  it.each([
    ["1", 1],
    ["[1,2,3]", 4],
    ['{"a":[{},{}],"b":"c"}', 7],
    ['"a, b, [c] and {d}"', 1],
    ['["\\"",1]', 3],
    ['["\\\\",1]', 3],
    ['["\\\\\\",1]', 2],
    ["", 0],
  ])("counts values but not the contents of strings: %s", (text, values) => {
    expect(count(text)).toBe(values);
  });

  it("stays within a factor of two of the number of parsed values", () => {
    const size = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce((sum: number, inner) => sum + size(inner), 1)
        : 1;
    fc.assert(
      fc.property(fc.json(), (text) => {
        const values = size(JSON.parse(text));
        const counted = count(text);
        // An opening bracket counts for itself and its first value, so an empty object or array counts twice.
        expect(counted).toBeGreaterThanOrEqual(values / 2);
        expect(counted).toBeLessThanOrEqual(values * 2);
      }),
    );
  });

  it("counts only the bytes of a view into a larger buffer", () => {
    const bytes = new TextEncoder().encode("[1,1,1,1][1]").subarray(9);
    expect([exceedsValueCount(bytes, 1), exceedsValueCount(bytes, 2)]).toEqual([true, false]);
  });
});
