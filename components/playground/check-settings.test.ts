import { describe, expect, it } from "vitest";
import { ChatRequest } from "@/lib/answers/chat/schema";
import { checkSettings } from "./check-settings";
import { newSettings, type Settings, toRequest } from "./settings";

function settings(change: Partial<Settings> = {}): Settings {
  return { ...newSettings("m"), ...change };
}

/** Whether the API accepts the request made from the settings. */
function isAccepted(change: Partial<Settings>): boolean {
  const request = toRequest(settings(change), [{ role: "user", content: "Hello" }]);
  return ChatRequest.safeParse(request).success;
}

describe("checkSettings", () => {
  it("finds nothing in the defaults", () => {
    expect(checkSettings(settings())).toEqual({});
  });

  it.each([
    ["top_k", "900", "Use a whole number from 1 to 50."],
    ["top_k", "2.5", "Use a whole number from 1 to 50."],
    ["top_k", "many", "Use a whole number from 1 to 50."],
    ["min_score", "1.2", "Use a number from 0 to 1."],
    ["max_tokens", "0", "Use a whole number of at least 1."],
    ["source_types", "x".repeat(65), "A type has at most 64 characters."],
    ["source_types", "x,".repeat(50), "Use at most 50 types."],
  ] as const)("refuses %s %s like the API", (name, typed, message) => {
    expect(checkSettings(settings({ [name]: typed }))).toEqual({ [name]: message });
    if (name !== "source_types" || !typed.includes(",")) {
      expect(isAccepted({ [name]: typed })).toBe(false);
    }
  });

  it.each([
    ["top_k", "50"],
    ["min_score", "0"],
    ["max_tokens", "1"],
    ["source_types", "guideline, label"],
  ] as const)("accepts %s %s like the API", (name, typed) => {
    expect(checkSettings(settings({ [name]: typed }))).toEqual({});
    expect(isAccepted({ [name]: typed })).toBe(true);
  });

  it("refuses a temperature that no model takes", () => {
    expect(checkSettings(settings({ temperature: "hot" }))).toHaveProperty("temperature");
    expect(checkSettings(settings({ temperature: "2.1" }))).toHaveProperty("temperature");
    expect(checkSettings(settings({ temperature: "2" }))).toEqual({});
  });

  it("refuses to remove citations that aren't checked, and to search nothing", () => {
    const strip = { verify: "off", on_unsupported: "strip" } as const;
    expect(checkSettings(settings(strip))).toHaveProperty("on_unsupported");
    expect(isAccepted(strip)).toBe(false);
    expect(checkSettings(settings({ sources: [] }))).toHaveProperty("sources");
  });

  it("ignores citation settings while citations are off", () => {
    expect(checkSettings(settings({ enabled: false, top_k: "900", sources: [] }))).toEqual({});
  });
});
