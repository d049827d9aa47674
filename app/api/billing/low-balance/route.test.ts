import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { LowBalance } from "@/lib/money/billing/schema";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";
import { signedIn } from "@/lib/testing/session";

const PATH = "/api/billing/low-balance";

/** The sessions of an owner and of a plain member of the same account. */
async function makeTeam() {
  const { id, ctx } = await makeAccount();
  const memberId = newId("member");
  await db().member.create({
    data: { id: memberId, accountId: id, email: `${memberId}@example.org`, role: "member" },
  });
  return { id, headers: await signedIn(ctx.actor.id), member: await signedIn(memberId) };
}

function set(headers: Record<string, string>, body: unknown) {
  return call("POST", PATH, { headers, body });
}

async function thresholdOf(id: string) {
  return (await db().account.findUniqueOrThrow({ where: { id } })).lowBalanceMicros;
}

describe("the console's endpoint to the low-balance e-mail", () => {
  it("is off at first, and is set, changed and turned off by an owner", async () => {
    const { id, headers, member } = await makeTeam();
    const first = await call("GET", PATH, { headers });
    expect(LowBalance.parse(first.json)).toEqual({
      object: "billing.low_balance",
      threshold_usd: null,
      can_change: true,
      can_mail: false,
    });
    const { status, json } = await set(headers, { threshold_usd: "25.5" });
    expect([status, json.threshold_usd]).toEqual([200, "25.500000"]);
    expect(await thresholdOf(id)).toBe(25_500_000n);
    const seen = await call("GET", PATH, { headers: member });
    expect(seen.json).toMatchObject({ threshold_usd: "25.500000", can_change: false });
    for (const [sent, stored] of [
      ["0.01", 10_000n],
      ["100000", 100_000_000_000n],
      [null, null],
    ] as const) {
      expect((await set(headers, { threshold_usd: sent })).status).toBe(200);
      expect(await thresholdOf(id)).toBe(stored);
    }
  });

  it("reports whether email can be sent", async () => {
    await startMailbox();
    const { headers } = await makeTeam();
    expect((await call("GET", PATH, { headers })).json.can_mail).toBe(true);
  });

  it.each(
    ["-5", "0", "0.00", "1.005", "ten", "", " 5", "1e3", "0x10", "5.", ".5", "٥", "5\n", "1,000"]
      .concat(["100000.01", "100001", "9".repeat(400), "5\0"])
      .map((amount) => [amount] as unknown[])
      .concat([[5], [true], [["5"]], [{}], [undefined]]),
  )("refuses %j and names the field", async (amount) => {
    const { id, headers } = await makeTeam();
    const { status, json } = await set(headers, { threshold_usd: amount });
    expect([status, json.error.code, json.error.param]).toEqual([
      400,
      "invalid_request",
      "threshold_usd",
    ]);
    expect(await thresholdOf(id)).toBeNull();
  });

  it("rejects an unknown field", async () => {
    const { headers } = await makeTeam();
    const { status, json } = await set(headers, { threshold_usd: "5", account: "acct_x" });
    expect([status, json.error.param]).toEqual([400, "account"]);
  });

  it("rejects writes by plain members, without a session and from other sites", async () => {
    const { id, headers, member } = await makeTeam();
    const body = { threshold_usd: "5" };
    const refused = await set(member, body);
    expect([refused.status, refused.json.error.code]).toEqual([403, "insufficient_scope"]);
    const foreign = await set({ ...headers, origin: "https://evil.example" }, body);
    expect([foreign.status, foreign.json.error.code]).toEqual([403, "insufficient_scope"]);
    expect((await set({}, body)).status).toBe(401);
    expect((await call("GET", PATH)).status).toBe(401);
    expect((await call("DELETE", PATH, { headers })).status).toBe(405);
    expect(await thresholdOf(id)).toBeNull();
  });

  it("checks the current role, and only affects the member's account", async () => {
    const other = await makeTeam();
    const { id, headers } = await makeTeam();
    await db().member.updateMany({ where: { accountId: id }, data: { role: "member" } });
    expect((await set(headers, { threshold_usd: "5" })).status).toBe(403);
    expect(await thresholdOf(other.id)).toBeNull();
  });
});
