import { describe, expect, it } from "vitest";
import { keyFilterQuery, readKeyFilter } from "./filter";

const read = (query: string) => readKeyFilter(new URLSearchParams(query));

describe("the filter in the address", () => {
  it("is read back from its query string", () => {
    const filter = { search: "intake & co", mode: "live", status: "expiring" } as const;
    expect(read(keyFilterQuery(filter))).toEqual(filter);
    expect(keyFilterQuery({})).toBe("");
  });

  it("ignores values that don't exist", () => {
    expect(read("mode=both&status=active&search=&key=1")).toEqual({});
  });
});
