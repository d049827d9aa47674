import { describe, expect, it } from "vitest";
import { Overview } from "@/lib/money/usage/overview-schema";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

describe("the console's endpoints to the overview", () => {
  it("tell the account at a glance", async () => {
    const { ctx, key } = await makeKeyedAccount();
    await call("POST", "/v1/kb/search", { key, body: { query: "metformin" } });
    const headers = await signedIn(ctx.actor.id);
    const { status, json } = await call("GET", "/api/overview", { headers });
    expect(status).toBe(200);
    expect(Overview.parse(json)).toMatchObject({
      credits: { available_usd: "4.999500" },
      week_spend_usd: "0.000500",
      total: { requests: 1, failed_requests: 0 },
      recent: [{ kind: "search" }],
      steps: { key: true, document: false, cited_answer: false, top_up: false },
    });
  });

  it("dismisses and restores the checklist for this account in this browser", async () => {
    const { ctx, id } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const path = "/api/overview/steps";
    const away = await call("POST", path, { headers, body: { is_dismissed: true } });
    expect(away.json).toEqual({ object: "overview.steps", is_dismissed: true });
    expect(away.headers.get("set-cookie")).toMatch(
      new RegExp(`^footnote-steps=${id}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax$`),
    );
    const back = await call("POST", path, { headers, body: { is_dismissed: false } });
    expect(back.headers.get("set-cookie")).toContain("Max-Age=0;");
  });

  it("answers 401 without a session, 400 naming an invalid field, 403 cross-site, otherwise 405", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const path = "/api/overview/steps";
    const body = { is_dismissed: true };
    expect((await call("GET", "/api/overview")).status).toBe(401);
    expect((await call("POST", path, { body })).status).toBe(401);
    const bad = await call("POST", path, { headers, body: { is_dismissed: "yes" } });
    expect([bad.status, bad.json.error.param]).toEqual([400, "is_dismissed"]);
    const foreign = await signedIn(ctx.actor.id, { origin: "https://evil.example" });
    expect((await call("POST", path, { headers: foreign, body })).status).toBe(403);
    expect((await call("GET", path, { headers })).status).toBe(405);
    expect((await call("POST", "/api/overview", { headers, body })).status).toBe(405);
  });
});
