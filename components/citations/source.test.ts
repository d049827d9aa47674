import { describe, expect, it } from "vitest";
import { documentPath, webAddress } from "./source";

describe("source links", () => {
  it("opens the quote in this console, whatever origin the permalink has", () => {
    const permalink = "https://other.example/documents/doc_1?quote=1-9-abc";
    expect(documentPath({ document_id: "doc_1" }, { permalink })).toBe(
      "/documents/doc_1?quote=1-9-abc",
    );
  });

  it("opens the document when there is no quote or the permalink isn't ours", () => {
    for (const permalink of ["https://evil.example/x", "javascript:alert(1)", "", "//evil"]) {
      expect(documentPath({ document_id: "doc 1/.." }, { permalink })).toBe(
        "/documents/doc%201%2F..",
      );
    }
    expect(documentPath({ document_id: "doc_1" }, null)).toBe("/documents/doc_1");
  });

  it("accepts only http and https URLs", () => {
    expect(webAddress({ metadata: { url: "https://a.example/x" } })?.host).toBe("a.example");
    for (const url of ["javascript:alert(1)", "/x", "file:///etc/passwd", 7, null, undefined]) {
      expect(webAddress({ metadata: { url } })).toBeNull();
    }
  });
});
