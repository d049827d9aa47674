import { describe, expect, it } from "vitest";
import { firstCalls } from "./first-call";

const CALL = { origin: "https://footnote.example", model: "footnote-extract-1" };

describe("firstCalls", () => {
  it("puts the secret in place in every language", () => {
    const secret = "footnote_test_abc";
    for (const { code } of firstCalls({ ...CALL, secret })) {
      expect(code).toContain(secret);
      expect(code).toContain("https://footnote.example/v1");
      expect(code).not.toContain("FOOTNOTE_API_KEY");
    }
  });

  it("keeps lines short enough for the page of a laptop", () => {
    const lines = firstCalls({ ...CALL, secret: null }).flatMap(({ code }) => code.split("\n"));
    expect(lines.filter((line) => line.length > 92)).toEqual([]);
  });

  it("reads the key from the environment once the secret is gone", () => {
    const codes = firstCalls({ ...CALL, secret: null }).map(({ code }) => code);
    expect(codes.every((code) => code.includes("FOOTNOTE_API_KEY"))).toBe(true);
    expect(codes[1]).toContain("import os");
  });
});
