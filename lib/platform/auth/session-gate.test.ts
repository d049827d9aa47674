import { describe, expect, it } from "vitest";
import * as z from "zod";
import { route } from "@/lib/platform/http/route";
import { sameOrigin } from "./session-gate";

const facts = { requestId: "req_1", signal: new AbortController().signal };

function knock(headers: Record<string, string>, method = "POST") {
  return sameOrigin(new Request("http://localhost:3000/api/x", { method, headers }), facts);
}

describe("sameOrigin", () => {
  it("admits the console's own pages and non-browser clients", async () => {
    const host = "inner:8080";
    const ours: Record<string, string>[] = [
      {},
      { host },
      { origin: "http://localhost:3000" },
      { host, origin: "http://localhost:3000" },
      { host, origin: "https://inner:8080", "sec-fetch-site": "same-origin" },
    ];
    for (const headers of ours) {
      const forwarded = { ...headers, "x-forwarded-for": "203.0.113.9" };
      const ctx = { ...facts, address: "203.0.113.9" };
      await expect(knock(forwarded)).resolves.toEqual({ ctx });
    }
  });

  it("rejects pages from other sites and opaque origins, with or without a Host header", async () => {
    const theirs: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: "about:blank" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of theirs) {
      for (const each of [headers, { ...headers, host: "localhost:3000" }]) {
        await expect(knock(each)).rejects.toMatchObject({ code: "insufficient_scope" });
      }
    }
  });

  it("allows reads from any origin", async () => {
    await expect(knock({ origin: "https://evil.example" }, "GET")).resolves.toBeDefined();
  });

  it("limits the body to what a form of theirs can hold", async () => {
    const handler = route({ gate: sameOrigin, body: z.unknown(), handle: async () => ({}) });
    const send = (bytes: number) =>
      handler(
        new Request("http://localhost:3000/api/account/sign-up", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify("a".repeat(bytes)),
        }),
      );
    expect([(await send(60_000)).status, (await send(70_000)).status]).toEqual([200, 413]);
  });
});
