import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { filterQuery, readFilter } from "./filter";

function read(query: string) {
  return readFilter(new URLSearchParams(query));
}

describe("the filter in a URL", () => {
  // A range without an end date runs until today.
  beforeAll(() => void vi.setSystemTime("2026-11-22T12:00:00Z"));
  afterAll(() => void vi.useRealTimers());

  it("round-trips through its query string", () => {
    for (const query of [
      "",
      "key=key_1&model=vendor%2Flarge&kind=grounded&status=5xx&days=7",
      "from=2026-10-01&to=2026-10-31",
      "from=2026-11-01",
    ]) {
      expect(filterQuery(read(query))).toBe(query);
    }
  });

  it.each([
    ["kind=nonsense&status=200", "a kind and a status that do not exist"],
    ["days=0", "no days"],
    ["days=1.5", "half a day"],
    ["days=367", "more days than allowed"],
    ["days=30", "the default"],
    ["from=2026-02-30", "a day that does not exist"],
    ["from=2026-11-20&to=2026-11-01", "a reversed range"],
    ["from=2024-01-01&to=2026-01-01", "a range that is too long"],
    ["key=&model=", "empty"],
    ["key=%00&model=a%00b", "a value that the database can't store"],
    ["sort=cost", "not a filter"],
  ])("ignores %s (%s)", (query) => {
    expect(read(query)).toEqual({});
  });

  it("prefers dates to a number of days, and truncates long values", () => {
    expect(read("days=7&from=2026-11-01&to=2026-11-02")).toEqual({
      from: "2026-11-01",
      to: "2026-11-02",
    });
    expect(read(`key=${"x".repeat(999)}`).key).toHaveLength(200);
  });
});
