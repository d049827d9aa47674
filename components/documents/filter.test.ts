import { describe, expect, it } from "vitest";
import { toLibraryFilter } from "./filter";

describe("toLibraryFilter", () => {
  it("reads known values", () => {
    const filter = {
      scope: "personal_kb",
      status: "failed",
      format: "pdf",
      source_type: "guideline",
      title: "night shift",
    };
    expect(toLibraryFilter(filter)).toEqual(filter);
  });

  it("drops unknown values and truncates long ones", () => {
    expect(
      toLibraryFilter({
        scope: "public_kb",
        status: "constructor",
        format: ["pdf", "csv"],
        title: "  \0 ",
        page: "3",
      }),
    ).toEqual({});
    expect(toLibraryFilter({ title: "x".repeat(5000) }).title).toHaveLength(200);
  });
});
