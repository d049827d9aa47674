import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EnvSchema } from "./env";

describe("the environment", () => {
  it("is what .env.example lists, no more and no less", () => {
    const example = readFileSync(".env.example", "utf8");
    const listed = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(EnvSchema.shape).sort());
  });

  it("needs no variable at all", () => {
    expect(EnvSchema.parse({})).toMatchObject({
      PORT: 3000,
      LOG_LEVEL: "info",
      RETRIEVAL_DEADLINE_MS: 3000,
    });
  });

  it("names the variable that is wrong", () => {
    expect(() => EnvSchema.parse({ PORT: "many" })).toThrow(/PORT/);
  });
});
