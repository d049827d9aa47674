import { describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { findKey, listKeys } from "./read";
import { ListKeys } from "./schema";

const DAY_MS = 86_400_000;

describe("a filtered list of keys", () => {
  it("has the keys of a name, a secret's end, a mode and a status", async () => {
    const { ctx } = await makeAccount();
    const ids = { live: "", soon: "", later: "", expired: "", revoked: "" };
    for (const name of Object.keys(ids) as (keyof typeof ids)[]) {
      ids[name] = (await makeKey(ctx)).id;
      await db().apiKey.updateMany({
        where: { id: ids[name], accountId: ctx.account.id },
        data: {
          name: `Service ${name}`,
          mode: name === "live" ? "live" : "test",
          lastFour: name === "soon" ? "zZ09" : "aaaa",
          expiresAt: expiryOf(name),
          revokedAt: name === "revoked" ? new Date() : null,
        },
      });
    }
    const found = async (input: Record<string, string>) =>
      (await listKeys(ctx, ListKeys.parse(input))).data
        .map(({ id }) => Object.entries(ids).find(([, value]) => value === id)?.[0])
        .toSorted();
    expect(await found({ search: "SERVICE L" })).toEqual(["later", "live"]);
    expect(await found({ search: "footnote_test_…zZ09" })).toEqual(["soon"]);
    expect(await found({ search: "%" })).toEqual([]);
    expect(await found({ mode: "live" })).toEqual(["live"]);
    expect(await found({ status: "usable" })).toEqual(["later", "live", "soon"]);
    expect(await found({ status: "expiring" })).toEqual(["soon"]);
    expect(await found({ status: "expired" })).toEqual(["expired"]);
    expect(await found({ status: "revoked", mode: "test" })).toEqual(["revoked"]);
  });

  function expiryOf(name: string): Date | null {
    const days = { soon: 13, later: 15, expired: -1 }[name];
    return days === undefined ? null : new Date(Date.now() + days * DAY_MS);
  }
});

describe("a single key", () => {
  it("is null for another account", async () => {
    const [{ ctx }, other] = [await makeAccount(), await makeAccount()];
    const { id } = await makeKey(ctx);
    expect((await findKey(ctx, id))?.id).toBe(id);
    expect(await findKey(other.ctx, id)).toBeNull();
  });
});
