import { describe, expect, it } from "vitest";
import { asksForPlace, readDocumentQuestion } from "./document-question";

function asks(question: string, ...path: string[]): boolean | null {
  const read = readDocumentQuestion(question);
  return read && asksForPlace(read, path.join(" › "));
}

describe("a question about a document", () => {
  it("names the document, and maybe one of its headings", () => {
    const question = "What does “Ward handbook” say about visiting hours?";
    expect(asks(question, "Ward handbook", "Visiting hours")).toBe(true);
    expect(asks(question, "Ward handbook", "Part I", "2.1 Visiting hours:")).toBe(true);
    expect(asks(question, "Ward handbook", "Night shift")).toBe(false);
    expect(asks(question, "Handbook of another ward", "Visiting hours")).toBe(false);
    expect(asks(question, "Ward handbook")).toBe(false);
    expect(asks('What does "ward handbook" say?', "Ward handbook", "Night shift")).toBe(true);
  });

  it("may cut a long title", () => {
    const question = "What does “Preemptive information extraction…” say about relations?";
    expect(asks(question, "Preemptive Information Extraction using X", "Relations")).toBe(true);
    expect(asks(question, "Information extraction", "Relations")).toBe(false);
  });

  it("is no other question", () => {
    for (const text of [
      "What are the visiting hours?",
      "What does it say about doses?",
      "“A” says",
    ]) {
      expect(readDocumentQuestion(text)).toBeNull();
    }
  });
});
