import { describe, expect, it } from "vitest";
import { searchDocs } from "./search-index";

async function urlsOf(query: string): Promise<string[]> {
  return (await searchDocs(query)).map(({ url }) => url);
}

describe("searchDocs", () => {
  it.each([
    ["quickstart", "/docs/quickstart"],
    ["insufficient_scope", "/docs/errors#insufficient_scope"],
    ["citations top_k", "/docs/api/chat#post-v1-chat-completions"],
    ["long-polls until it ends", "/docs/api/jobs#get-v1-kb-jobs-job_id"],
    ["how do I delete documents", "/docs/api/documents#post-v1-kb-documents-delete"],
    ["disconnecting", "/docs/clients#disconnecting"],
    ["/v1/embeddings", "/docs/api/embeddings#post-v1-embeddings"],
  ])("finds %j at %s", async (query, url) => {
    expect(await urlsOf(query)).toContain(url);
  });

  it.each([
    ["retry", "/docs/retries"],
    ["min_score", "/docs/knowledge-bases#what-similarity-means"],
    ["citations top_k", "/docs/limits#requests"],
    ["rate limits", "/docs/retries"],
    ["webhook", "/docs/idempotency#webhooks-and-payments"],
  ])("lists first for %j what it is about: %s", async (query, url) => {
    expect((await urlsOf(query))[0]).toBe(url);
  });

  it("finds words inside a page, with the section they are in", async () => {
    const hits = await searchDocs("keep-alive comment proxies");
    expect(hits[0]).toMatchObject({
      url: "/docs/streaming#keep-alive-and-disconnecting",
      page: "Streaming",
      section: "Keep-alive and disconnecting",
      excerpt: expect.stringContaining("keep-alive"),
    });
  });

  it("returns a few hits of several pages, and nothing for words that no page has", async () => {
    const hits = await searchDocs("citations");
    expect(hits.length).toBeLessThanOrEqual(8);
    expect(new Set(hits.map(({ page }) => page)).size).toBeGreaterThan(2);
    expect(await searchDocs("qwxzvb")).toEqual([]);
  });
});
