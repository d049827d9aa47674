import { describe, expect, it } from "vitest";
import { filterOf } from "./filter";

describe("a filter from an address", () => {
  it("takes what it knows", () => {
    const filter = {
      scope: "personal_kb",
      status: "failed",
      format: "pdf",
      source_type: "guideline",
      title: "night shift",
    };
    expect(filterOf(filter)).toEqual(filter);
  });

  it("leaves out what makes no sense, and cuts what is too long", () => {
    expect(
      filterOf({
        scope: "public_kb",
        status: "constructor",
        format: ["pdf", "csv"],
        title: "  \0 ",
        page: "3",
      }),
    ).toEqual({});
    expect(filterOf({ title: "x".repeat(5000) }).title).toHaveLength(200);
  });
});
