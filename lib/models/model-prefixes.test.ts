import { describe, expect, it } from "vitest";
import { EnvSchema } from "@/lib/platform/env";
import { missingPrefixes } from "./model-prefixes";

const adviceFor = (variables: Record<string, string>) =>
  missingPrefixes(EnvSchema.parse(variables));

describe("the prefixes of embedding models", () => {
  it.each([
    ["intfloat/multilingual-e5-small", "query: ", "passage: "],
    ["e5-base-v2", "query: ", "passage: "],
    ["nomic-embed-text:v1.5", "search_query: ", "search_document: "],
    ["BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: "],
    ["embeddinggemma:300m", "task: search result | query: ", "title: none | text: "],
  ])("are asked for with %s", (model, ...prefixes) => {
    for (const prefix of prefixes) {
      expect(adviceFor({ EMBEDDING_MODEL: model })).toContain(`"${prefix}"`);
    }
    const set = { EMBEDDING_MODEL: model, EMBEDDING_QUERY_PREFIX: prefixes[0] ?? "" };
    expect(adviceFor(set)).toBeNull();
  });

  it.each([
    "text-embedding-3-small",
    "bge-m3",
    "all-MiniLM-L6-v2",
    "multilingual-e5-large-instruct",
    "granite5-small",
    "local:multilingual-e5-small",
  ])("aren't with %s", (model) => {
    expect(adviceFor({ EMBEDDING_MODEL: model })).toBeNull();
  });

  it("aren't without a model", () => {
    expect(adviceFor({})).toBeNull();
  });
});
