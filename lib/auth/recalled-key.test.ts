import { describe, expect, it } from "vitest";
import { batcherStats } from "@/lib/db/batcher";
import { db } from "@/lib/db/client";
import { rotateKey } from "@/lib/keys/write/keys";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { SCOPES } from "./schema";
import { generateApiKey } from "./secret";

const BODY = {
  model: "footnote-extract-1",
  messages: [{ role: "user" as const, content: "Hello" }],
};
const PATHS = [
  ["/v1/chat/completions", BODY],
  ["/v1/responses", { model: BODY.model, input: "Hello" }],
] as const;

const ask = (key: string, body: object = BODY) => call("POST", PATHS[0][0], { key, body });

/** Changes a key as another process would, with this one none the wiser. */
async function change(id: string, data: object): Promise<void> {
  await db().apiKey.updateMany({ where: { id }, data });
}

/** Batched statements of one completion: key, hold, settlement, flush. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = batcherStats().done;
  await work();
  return batcherStats().done - before;
}

describe("a key that this process has looked up before", () => {
  it("is checked by the hold of a completion, in place of a look-up", async () => {
    const { key } = await makeKeyedAccount();
    expect(await statementsOf(() => ask(key))).toBe(4);
    expect(await statementsOf(() => ask(key))).toBe(3);
    const stream = await openai(key).chat.completions.create({ ...BODY, stream: true });
    let text = "";
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
    }
    expect(text).not.toBe("");
  });

  it("is refused like an unknown one from the first request after it is revoked, whatever that asks for", async () => {
    for (const [path, body] of PATHS) {
      const { id, key, keyId } = await makeKeyedAccount();
      expect((await call("POST", path, { key, body })).status).toBe(200);
      const { balance } = await readMoney(id);
      await change(keyId, { revokedAt: new Date() });
      const unknown = await call("POST", path, { key: generateApiKey("test"), body });
      const revoked = await call("POST", path, { key, body });
      expect([revoked.status, revoked.json]).toEqual([403, unknown.json]);
      expect(revoked.headers.get("x-ratelimit-limit-requests")).toBeNull();
      await change(keyId, { revokedAt: null });
      expect((await call("POST", path, { key, body })).status).toBe(200);
      await change(keyId, { revokedAt: new Date() });
      const wrong = await call("POST", path, { key, body: { model: 7 } });
      expect([wrong.status, wrong.json]).toEqual([403, unknown.json]);
      const { balance: after, held, openHolds } = await readMoney(id);
      expect(after).toBeLessThan(balance);
      expect([held, openHolds]).toEqual([0n, 0n]);
    }
  });

  it("is refused once it has expired", async () => {
    const { key, keyId } = await makeKeyedAccount();
    await ask(key);
    await change(keyId, { expiresAt: new Date(Date.now() - 1000) });
    expect((await ask(key)).json.error.code).toBe("invalid_api_key");
  });

  it("has the models, scopes and limits it was last given, from the next request on", async () => {
    const { key, keyId } = await makeKeyedAccount({ models: ["footnote-extract-1"] });
    await ask(key);
    await change(keyId, { models: ["scripted"] });
    expect((await ask(key)).json.error).toMatchObject({ code: "invalid_request", param: "model" });
    await change(keyId, { models: ["footnote-extract-1"], requestsPerMinute: 60 });
    const again = await ask(key);
    expect([again.status, again.headers.get("x-ratelimit-limit-requests")]).toEqual([200, "60"]);
    await change(keyId, { scopes: SCOPES.filter((scope) => scope !== "chat:completions") });
    expect((await ask(key)).json.error.code).toBe("insufficient_scope");
    await change(keyId, { scopes: [...SCOPES], requestsPerMinute: 1 });
    expect((await ask(key)).json.error.code).toBe("rate_limit_exceeded");
    await change(keyId, { requestsPerMinute: null });
    expect((await ask(key)).status).toBe(200);
  });

  it("doesn't keep a secret alive that a rotation ended", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount();
    await ask(key);
    const overlapping = await rotateKey(ctx, keyId, { overlap_seconds: 3600 });
    expect((await ask(key)).status).toBe(200);
    expect((await ask(overlapping.secret)).status).toBe(200);
    const last = await rotateKey(ctx, keyId, { overlap_seconds: 0 });
    expect((await ask(key)).json.error.code).toBe("invalid_api_key");
    expect((await ask(overlapping.secret)).json.error.code).toBe("invalid_api_key");
    expect((await ask(last.secret)).status).toBe(200);
  });

  it("is charged once for a request that was handled again", async () => {
    const { id, key, keyId } = await makeKeyedAccount();
    await ask(key);
    const before = await readMoney(id);
    await ask(key);
    const price = before.balance - (await readMoney(id)).balance;
    await change(keyId, { requestsPerMinute: 60 });
    await ask(key);
    const after = await readMoney(id);
    expect(after.balance).toBe(before.balance - 2n * price);
    expect([after.held, after.ledgerSum]).toEqual([0n, after.balance]);
  });
});
