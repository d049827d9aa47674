import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceedsValueCount } from "./json-values";

function count(text: string): number {
  const bytes = new TextEncoder().encode(text);
  let most = 0;
  while (exceedsValueCount(bytes, most)) {
    most += 1;
  }
  return most;
}

describe("the values of a JSON text", () => {
  it.each([
    ["1", 1],
    ["[1,2,3]", 4],
    ['{"a":[{},{}],"b":"c"}', 7],
    ['"a, b, [c] and {d}"', 1],
    ['["\\"",1]', 3],
    ['["\\\\",1]', 3],
    ['["\\\\\\",1]', 2],
    ["", 0],
  ])("are counted, and not what strings hold: %s", (text, values) => {
    expect(count(text)).toBe(values);
  });

  it("are at least as many as the parsed values, whatever the strings", () => {
    const size = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce((sum: number, inner) => sum + size(inner), 1)
        : 1;
    fc.assert(
      fc.property(fc.json(), (text) => {
        const values = size(JSON.parse(text));
        const counted = count(text);
        // An empty object or array has no value inside, and a bracket counts as itself and as its first one.
        expect(counted).toBeGreaterThanOrEqual(values / 2);
        expect(counted).toBeLessThanOrEqual(values * 2);
      }),
    );
  });

  it("are counted of a view into a larger buffer too", () => {
    const bytes = new TextEncoder().encode("[1,1,1,1][1]").subarray(9);
    expect([exceedsValueCount(bytes, 1), exceedsValueCount(bytes, 2)]).toEqual([true, false]);
  });
});
