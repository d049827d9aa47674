import { describe, expect, it } from "vitest";
import type { KbQuote } from "@/lib/documents/schema";
import { formatQuote } from "./quote-notice";

const quote: KbQuote = {
  object: "kb.quote",
  document_id: "doc_1",
  status: "current",
  text: "500 mg",
  char_start: 5,
  char_end: 11,
  page: 3,
  section: "Dosing › Adults",
  before: "Take ",
  after: " daily.",
};

describe("what is said of quoted words", () => {
  it("is their page and headings where they are known", () => {
    expect(formatQuote(quote)).toBe(
      "The quoted words stand on page 3, under “Dosing › Adults”. They are highlighted.",
    );
    expect(formatQuote({ ...quote, page: null, section: null })).toContain("in the text below");
  });

  it("is that the document has changed, when it has", () => {
    expect(formatQuote({ ...quote, status: "moved" })).toMatch(/has changed.*on page 3/);
    expect(formatQuote({ ...quote, status: "changed" })).toContain("no longer has");
    expect(formatQuote(null)).toContain("from its beginning");
  });
});
