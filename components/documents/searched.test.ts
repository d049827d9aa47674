import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import { Searched } from "./searched";

const plain: Retrieval = {
  query: "How is asthma treated?",
  method: "last",
  corrections: [],
  notices: [],
};

function textOf(retrieval: Retrieval, question?: string): string {
  const html = renderToStaticMarkup(
    createElement(Searched, { retrieval, ...(question !== undefined && { question }) }),
  );
  return html.replace(/<q[^>]*>(.*?)<\/q>/g, "“$1”").replace(/<[^>]+>/g, "\n");
}

describe("what was searched", () => {
  test("shows how the query was made, its corrections and notices", () => {
    const text = textOf({
      query: "asthma tretment",
      method: "rules",
      corrections: [{ from: "tretment", to: "treatment" }],
      notices: [{ code: "rerank_skipped", message: "The reranker did not answer in time." }],
    });
    expect(text).toContain("Searched for “asthma tretment”");
    expect(text).toContain("Rewritten from the conversation by rules.");
    expect(text).toContain("“tretment” was searched as “treatment”");
    expect(text).toContain("The reranker did not answer in time.");
  });

  test("shows each search that the model chose", () => {
    const rounds = ["Who leads the ward?", "Who works there?"].map((query) => ({
      query,
      found: 1,
      chunk_ids: [],
    }));
    const text = textOf({ ...plain, method: "model", rounds }, plain.query);
    expect(text).toContain("Searched for “Who leads the ward?”");
    expect(text).toContain("Searched for “Who works there?”");
    expect(text).not.toContain(plain.query);
  });

  test("names what came closest where nothing passed", () => {
    const found = { scope: "public_kb", document_id: "doc_1", chunk_id: "chk_1" } as const;
    const closest = [{ ...found, title: "Asthma", similarity: 0.214 }];
    const text = textOf({ ...plain, closest }, plain.query).replace(/\s+/g, " ");
    expect(text).toContain(
      "No passage reached the minimum similarity. The closest, which the model didn’t read: “Asthma” 0.21",
    );
  });

  test("is left out where it is the question itself", () => {
    expect(textOf(plain, plain.query).trim()).toBe("");
    expect(textOf(plain, "And how is it treated?")).toContain("Searched for");
    expect(textOf(plain)).toContain("Used the last message as is.");
  });
});
