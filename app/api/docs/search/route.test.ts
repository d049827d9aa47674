import { describe, expect, it } from "vitest";
import { DocHits } from "@/components/docs/search-schema";
import { GET, POST } from "./route";

function search(query: string): Promise<Response> {
  return GET(new Request(`http://localhost/api/docs/search?${new URLSearchParams({ query })}`));
}

describe("GET /api/docs/search", () => {
  it("finds the documentation without a session", async () => {
    const response = await search("insufficient_scope");
    expect(response.status).toBe(200);
    const { data } = DocHits.parse(await response.json());
    expect(data[0]).toMatchObject({ url: "/docs/errors#insufficient_scope", page: "Errors" });
  });

  it.each(["", "   ", "x".repeat(201)])("refuses %j", async (query) => {
    const response = await search(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "invalid_request", param: "query" },
    });
  });

  it("answers other methods with 405", async () => {
    const request = new Request("http://localhost/api/docs/search", { method: "POST" });
    expect((await POST(request)).status).toBe(405);
  });
});
