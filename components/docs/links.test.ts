import { describe, expect, it } from "vitest";
import { portableMarkdown, siteAddress } from "./links";

describe("page links", () => {
  it.each([
    ["citations.md", "/docs/citations"],
    ["errors.md#not_found", "/docs/errors#not_found"],
    ["../e2e/bench/README.md", "/docs/benchmarks"],
    ["../public/openapi.json", "/docs/api"],
    ["../public/openapi.json#get-v1-models", "/docs/api#get-v1-models"],
    ["http://localhost:3000/keys", "/keys"],
    ["http://localhost:3000", "/"],
    ["#here", "#here"],
    ["https://example.org/a", "https://example.org/a"],
    ["http://localhost:30001/v1", "http://localhost:30001/v1"],
  ])("lead from %s to %s", (href, address) => {
    expect(siteAddress(href, "docs/billing.md")).toBe(address);
  });

  it.each(["../.env.example", "none.md", "../../etc/passwd", ""])(
    "resolve to null for %j, which isn't on the site",
    (href) => {
      expect(siteAddress(href, "docs/billing.md")).toBeNull();
    },
  );

  it("are relative to their file's folder", () => {
    expect(siteAddress("../../docs/citations.md", "e2e/bench/README.md")).toBe("/docs/citations");
  });

  it("lead from Markdown to Markdown, with the server's origin", () => {
    const text = "[a](errors.md#not_found) [b](../public/openapi.json) [c](#d) [e](https://f.org)";
    const options = { file: "docs/billing.md", origin: "https://footnote.example" };
    expect(portableMarkdown(`${text} http://localhost:3000/v1`, options)).toBe(
      "[a](https://footnote.example/docs/errors.md#not_found) [b](https://footnote.example/openapi.json) [c](#d) [e](https://f.org) https://footnote.example/v1",
    );
  });
});
