import { describe, expect, it } from "vitest";
import { newSettings } from "./settings";
import { readLink, toLink } from "./shared-settings";

const DEFAULTS = newSettings("m-1");
const ORIGIN = "https://footnote.example";

function fragmentOf(value: unknown): string {
  return `#try=${encodeURIComponent(btoa(JSON.stringify(value)))}`;
}

describe("a link to the playground", () => {
  it("carries a question and settings in its fragment", () => {
    const filters = {
      match: "or" as const,
      conditions: [{ key: "team", type: "eq" as const, value: "legal" }],
    };
    const shared = {
      question: "Wie wirkt Apixaban? “µg” [1]",
      settings: { ...DEFAULTS, top_k: "3", preset: "personal" as const, sources: [], filters },
      rival: { ...DEFAULTS, model: "m-2" },
    };
    const link = new URL(toLink(ORIGIN, shared) ?? "");
    expect(`${link.origin}${link.pathname}${link.search}`).toBe(`${ORIGIN}/playground`);
    expect(readLink(link.hash, DEFAULTS)).toEqual(shared);
  });

  it("never turns on storing, and never chooses a knowledge base outside the preset", () => {
    const settings = { ...DEFAULTS, store: true, sources: ["public_kb", "personal_kb", 7] };
    expect(readLink(fragmentOf({ question: "", settings }), DEFAULTS)?.settings).toMatchObject({
      store: false,
      sources: ["public_kb"],
    });
  });

  it("ignores what isn't a setting", () => {
    const settings = {
      model: 7,
      verify: "constructor",
      preset: "admin",
      top_k: "4",
      filters: { match: "and", conditions: [{ key: "team" }] },
      key: "secret",
    };
    expect(readLink(fragmentOf({ question: "Q", settings, rival: 3 }), DEFAULTS)).toEqual({
      question: "Q",
      settings: { ...DEFAULTS, top_k: "4" },
      rival: null,
    });
  });

  it.each(["", "#try=", "#try=%", "#try=e30", "#other=1", fragmentOf([1]), fragmentOf(null)])(
    "carries nothing as %j",
    (fragment) => {
      expect(readLink(fragment, DEFAULTS)).toBeNull();
    },
  );

  it("isn't made when it would be too long", () => {
    const shared = { question: "x".repeat(9000), settings: DEFAULTS, rival: null };
    expect(toLink(ORIGIN, shared)).toBeNull();
  });
});
