import { describe, expect, it } from "vitest";
import { ChatRequest } from "@/lib/answers/chat/schema";
import { newSettings, type Settings, toRequest, withPreset } from "./settings";

const QUESTION = [{ role: "user" as const, content: "Why?" }];

function request(change: Partial<Settings>) {
  return toRequest({ ...newSettings("m-1"), ...change }, QUESTION);
}

describe("a playground request", () => {
  it("omits defaults", () => {
    expect(request({})).toEqual({
      model: "m-1",
      messages: QUESTION,
      stream: true,
      stream_options: { include_usage: true },
      citations: { enabled: true, required: true, query: "conversation", on_empty: "say_so" },
    });
    expect(request({ query: "last" }).citations).toEqual({
      enabled: true,
      required: true,
      on_empty: "say_so",
    });
    expect(request({ on_empty: "answer" }).citations).not.toHaveProperty("on_empty");
    expect(request({ enabled: false, stream: false })).toEqual({
      model: "m-1",
      messages: QUESTION,
    });
  });

  it("includes every changed setting under its API name", () => {
    const all = request({
      system: " Be brief. ",
      temperature: "0.2",
      max_tokens: " 300 ",
      required: true,
      sources: ["customer_kb"],
      top_k: "12",
      min_score: "0",
      source_types: "guideline, , label",
      filters: { match: "and", conditions: [{ key: "year", type: "gte", value: "2026" }] },
      document_ids: "doc_1, doc_2,",
      verify: "model",
      on_unsupported: "strip",
      on_empty: "say_so",
      return: "cited",
      quotes: false,
    });
    expect(all).toMatchObject({
      messages: [{ role: "system", content: "Be brief." }, ...QUESTION],
      temperature: 0.2,
      max_tokens: 300,
      citations: {
        enabled: true,
        required: true,
        sources: ["customer_kb"],
        top_k: 12,
        min_score: 0,
        source_types: ["guideline", "label"],
        filters: { type: "gte", key: "year", value: 2026 },
        document_ids: ["doc_1", "doc_2"],
        verify: "model",
        on_unsupported: "strip",
        on_empty: "say_so",
        return: "cited",
        quotes: false,
      },
    });
    expect(ChatRequest.safeParse(all).error).toBeUndefined();
  });

  it("passes invalid numbers to the API as typed", () => {
    expect(request({ top_k: "many", temperature: "1e9" })).toMatchObject({
      citations: { top_k: "many" },
      temperature: 1e9,
    });
  });

  it("searches all of a preset's knowledge bases by default, and none when all are unchecked", () => {
    const personal = withPreset({ ...newSettings("m-1"), sources: [] }, "personal");
    expect(personal.sources).toEqual(["public_kb", "personal_kb"]);
    expect(toRequest(personal, QUESTION).citations).not.toHaveProperty("sources");
    expect(request({ sources: [] }).citations).toMatchObject({ sources: [] });
  });
});
