import { describe, expect, it } from "vitest";
import { NEW_PRESET, toCitations, toForm } from "./preset-form";

const named = { name: "cited", model: "gpt-5-mini" };

describe("the preset form", () => {
  it("sends only what was chosen", () => {
    expect(toCitations(toForm(NEW_PRESET, named))).toEqual(NEW_PRESET);
    const form = {
      ...toForm(NEW_PRESET, named),
      verify: "model",
      sources: ["public_kb"],
      top_k: " 12 ",
    };
    expect(toCitations(form)).toEqual({
      verify: "model",
      sources: ["public_kb"],
      top_k: 12,
      required: true,
      on_empty: "say_so",
    });
  });

  it("keeps settings that it doesn't show, and removes those reset to their default", () => {
    const earlier = { enabled: true, min_score: 0.3, verify: "off", top_k: 4 };
    const form = { ...toForm(earlier, named), verify: "", top_k: "" };
    expect(toCitations(form, earlier)).toEqual({
      enabled: true,
      min_score: 0.3,
      required: false,
      on_empty: "answer",
    });
  });

  it("shows a preset as it is", () => {
    const citations = { render: "links", sources: ["customer_kb"], top_k: 5, query: "last" };
    const form = toForm(citations, named);
    expect(form).toMatchObject({ ...named, render: "links", sources: ["customer_kb"], top_k: "5" });
    expect(toCitations(form, citations)).toEqual({
      ...citations,
      required: false,
      on_empty: "answer",
    });
  });

  it("sends no list of sources for all of them", () => {
    const all = ["public_kb", "customer_kb", "personal_kb"];
    expect(toCitations({ ...toForm({}, named), sources: all })).toEqual({
      required: false,
      on_empty: "answer",
    });
  });
});
