import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { guardNextAuth } from "./guard-next-auth";

const answer = (type: string) =>
  guardNextAuth(new NextRequest("http://localhost:3000/api/auth/x"), async () => {
    const headers = { "content-type": type, "cache-control": "private, max-age=60" };
    return new Response("x", { headers });
  });

describe("what next-auth answers", () => {
  it("stays in no cache and is inert, such as the JSON of a session", async () => {
    const { headers } = await answer("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.* sandbox$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("runs no script and can't be framed, such as its page to sign out", async () => {
    const { headers } = await answer("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toMatch(/script-src[^;]*('unsafe-inline'|nonce|sha256)/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });
});
