import { describe, expect, it } from "vitest";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { formatQuote } from "./quote-label";

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

describe("formatQuote", () => {
  it("names the page and section if they are known", () => {
    expect(formatQuote(quote)).toBe("Quoted on page 3, “Dosing › Adults”.");
    expect(formatQuote({ ...quote, page: null })).toBe("Quoted under “Dosing › Adults”.");
    expect(formatQuote({ ...quote, page: null, section: null })).toContain("in the text below");
  });

  it("reports that the document has changed", () => {
    expect(formatQuote({ ...quote, status: "moved" })).toMatch(/has changed.*on page 3/);
    expect(formatQuote({ ...quote, status: "changed" })).toContain("no longer contains");
    expect(formatQuote(null)).toContain("from the start");
  });
});
