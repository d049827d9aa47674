import { describe, expect, it } from "vitest";
import type { Citation, UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { closestPassage, withReferences } from "./answer-sources";

const CITATIONS = [1, 2, 3].map((id) => ({ id, metadata: {} }) as Citation);

function judged(answered: Verification["answered"], ...ids: number[]) {
  return {
    citations: CITATIONS,
    annotations: ids.map((citation_id) => ({ url_citation: { citation_id } }) as UrlCitation),
    // With a sentence that says that there is no answer.
    verification: { answered, cited: ids.length, sentences: ids.length + 1 } as Verification,
  };
}

describe("closestPassage", () => {
  it("is the passage that a refusal names", () => {
    expect(closestPassage(judged("no", 2))?.id).toBe(2);
  });

  it("is the best passage of an answer that cites nothing", () => {
    expect(closestPassage(judged("unknown"))?.id).toBe(1);
    expect(closestPassage(judged("no"))?.id).toBe(1);
  });

  it("isn't shown for an answer, nor while one is streamed", () => {
    expect(closestPassage(judged("yes", 2))).toBeNull();
    expect(closestPassage(judged("no", 2, 3))).toBeNull();
    expect(closestPassage({ citations: CITATIONS })).toBeNull();
    const wrong = judged("no", 2);
    wrong.verification.sentences = 1;
    expect(closestPassage(wrong)).toBeNull();
    expect(closestPassage({ ...judged("no"), citations: [] })).toBeNull();
  });
});

describe("withReferences", () => {
  it("lists the cited sources below the answer, with page and address", () => {
    const citations = [
      { id: 1, title: "Stroke", metadata: { url: "https://example.org/stroke" } },
      { id: 2, title: "Not cited", metadata: {} },
      { id: 3, title: "Ward rules", metadata: { page: 4 } },
    ] as Citation[];
    const annotations = [
      { url_citation: { citation_id: 1 } },
      {
        url_citation: {
          citation_id: 3,
          quote: { page: 5, char_start: 0, permalink: "https://f.example/s" },
        },
      },
    ] as UrlCitation[];
    expect(withReferences("Call [1]. Wait [3].", { citations, annotations })).toBe(
      "Call [1]. Wait [3].\n\n[1] Stroke. https://example.org/stroke\n[3] Ward rules, page 5. https://f.example/s",
    );
    expect(withReferences("No source.", { citations, annotations: [] })).toBe("No source.");
  });
});
