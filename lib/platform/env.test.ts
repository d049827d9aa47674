import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EnvSchema } from "./env";

describe("the environment", () => {
  it("matches .env.example exactly", () => {
    const example = readFileSync(".env.example", "utf8");
    const listed = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.keys(EnvSchema.shape).sort());
  });

  it("is valid without any variables", () => {
    expect(EnvSchema.parse({})).toMatchObject({
      PORT: 3000,
      LOG_LEVEL: "info",
      RETRIEVAL_DEADLINE_MS: 3000,
    });
  });

  it("names an invalid variable in the error", () => {
    expect(() => EnvSchema.parse({ PORT: "many" })).toThrow(/PORT/);
  });
});
