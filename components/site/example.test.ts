import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EXAMPLE } from "./example";
import { sourcePath } from "./source-path";

const FOLDER = "prisma/knowledge";
const sample = readdirSync(FOLDER).map((name) => readFileSync(path.join(FOLDER, name), "utf8"));

describe("the example on the home page", () => {
  it("quotes the sample knowledge base verbatim", () => {
    const quotes = EXAMPLE.annotations.map(({ url_citation }) => url_citation.quote?.text ?? "");
    expect(quotes).toHaveLength(3);
    for (const quote of quotes) {
      expect(quote).not.toBe("");
      expect(sample.filter((text) => text.includes(quote))).toHaveLength(1);
    }
  });

  it("has correct ranges and a source for each marker and claim", () => {
    const ids = EXAMPLE.citations.map(({ id }) => id);
    for (const { url_citation: at } of EXAMPLE.annotations) {
      expect(EXAMPLE.content.slice(at.start_index, at.end_index)).toBe(`[${at.citation_id}]`);
      expect(EXAMPLE.content.slice(at.claim.start_index, at.claim.end_index)).toBe(at.claim.text);
      expect(ids).toContain(at.citation_id);
    }
  });
});

describe("the path of a source", () => {
  it("has the quote of a permalink, and nothing else of it", () => {
    const ref = "5-11-0123456789ab";
    expect(sourcePath("doc_1", `https://x.example/documents/doc_2?quote=${ref}&a=b`)).toBe(
      `/sources/doc_1?quote=${ref}`,
    );
    for (const permalink of [null, "", "nothing", "https://x.example/?quote=<script>"]) {
      expect(sourcePath("doc_1", permalink)).toBe("/sources/doc_1");
    }
    expect(sourcePath("../x?y", null)).toBe("/sources/..%2Fx%3Fy");
  });
});
