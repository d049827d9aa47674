import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { LedgerPage } from "@/lib/money/billing/schema";
import { credit } from "@/lib/money/billing/write/credit";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

describe("the console's endpoints to the account's money", () => {
  it("give the balance and the ledger of the member's own account, page by page", async () => {
    const other = await makeAccount();
    const { ctx, id } = await makeAccount();
    const reference = newId("ledgerEntry");
    await credit(id, { kind: "grant", amountMicros: 1_500_000n, reference });
    const headers = await signedIn(ctx.actor.id);
    const first = await call("GET", "/api/billing/ledger?limit=1", { headers });
    expect(LedgerPage.parse(first.json)).toMatchObject({
      data: [{ reference, amount_usd: "1.500000", balance_after_usd: "6.500000" }],
      has_more: true,
    });
    const rest = await call("GET", `/api/billing/ledger?after=${first.json.next_cursor}`, {
      headers,
    });
    expect(rest.json).toMatchObject({
      data: [{ kind: "grant", amount_usd: "5.000000", balance_after_usd: "5.000000" }],
      has_more: false,
      next_cursor: null,
    });
    const credits = await call("GET", "/api/billing/credits", { headers });
    expect(credits.json).toMatchObject({ balance_usd: "6.500000", available_usd: "6.500000" });
    const foreign = await call("GET", "/api/billing/ledger", {
      headers: await signedIn(other.ctx.actor.id),
    });
    expect(JSON.stringify(foreign.json)).not.toContain(reference);
  });

  it("answer 401 without a session, 400 naming an invalid param, and 405 to a write", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    for (const path of ["/api/billing/ledger", "/api/billing/credits"]) {
      expect((await call("GET", path)).status).toBe(401);
      expect((await call("POST", path, { headers, body: {} })).status).toBe(405);
    }
    const bad = await call("GET", "/api/billing/ledger?limit=0", { headers });
    expect([bad.status, bad.json.error.param]).toEqual([400, "limit"]);
  });
});
