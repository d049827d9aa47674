import { describe, expect, it } from "vitest";
import { documentPath, webAddress } from "./source-links";

describe("the way to a source", () => {
  it("leads to the quoted words in this console, whatever address the link was made for", () => {
    const permalink = "https://other.example/documents/doc_1?quote=1-9-abc";
    expect(documentPath({ document_id: "doc_1" }, { permalink })).toBe(
      "/documents/doc_1?quote=1-9-abc",
    );
  });

  it("leads to the document without a quote, and with a link to anything else", () => {
    for (const permalink of ["https://evil.example/x", "javascript:alert(1)", "", "//evil"]) {
      expect(documentPath({ document_id: "doc 1/.." }, { permalink })).toBe(
        "/documents/doc%201%2F..",
      );
    }
    expect(documentPath({ document_id: "doc_1" }, null)).toBe("/documents/doc_1");
  });

  it("is a web address only when it is one", () => {
    expect(webAddress({ metadata: { url: "https://a.example/x" } })?.host).toBe("a.example");
    for (const url of ["javascript:alert(1)", "/x", "file:///etc/passwd", 7, null, undefined]) {
      expect(webAddress({ metadata: { url } })).toBeNull();
    }
  });
});
