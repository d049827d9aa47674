import { expect, it, onTestFinished, vi } from "vitest";
import type { Batcher } from "@/lib/platform/db/batcher";
import { execute } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";
import { call } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { waitForWalFlush } from "./settle";

it("answers a request whose charge is committed but not yet on disk, and confirms it later", async () => {
  await waitForWalFlush();
  const flushes = processSingleton("WAL flushes", (): Batcher<null, null> => {
    throw new Error("no flush has run");
  });
  const flush = vi.spyOn(flushes, "run");
  onTestFinished(() => flush.mockRestore());
  flush.mockRejectedValueOnce(new Error("no standby confirms the commit"));
  const { key, id } = await makeKeyedAccount();
  const before = await readMoney(id);
  const { status, json } = await call("POST", "/v1/chat/completions", {
    key,
    body: { model: "scripted", messages: [{ role: "user", content: "Hi" }] },
  });
  expect(status).toBe(200);
  const usage = await lastUsage(id);
  expect(usage).toMatchObject({ status: 200 });
  expect(json.usage.cost_usd).toBe(`0.${String(usage.costMicros).padStart(6, "0")}`);
  await expect.poll(() => flush.mock.calls.length, { timeout: 5000 }).toBe(2);
  expect((await readMoney(id)).balance).toBe(before.balance - usage.costMicros);
});

it("charges a request whose hold was lost in a failover", async () => {
  const { key, id } = await makeKeyedAccount();
  const before = await readMoney(id);
  const content = `script:${JSON.stringify({ text: "one two three", delayMs: 500 })}`;
  const asking = call("POST", "/v1/chat/completions", {
    key,
    body: { model: "scripted", messages: [{ role: "user", content }] },
  });
  await expect.poll(async () => (await readMoney(id)).held).toBeGreaterThan(0n);
  // What a standby lacks that was promoted before the commit reached it.
  await execute("DELETE FROM hold WHERE account_id = $1", [id]);
  await execute("UPDATE account SET held_micros = 0 WHERE id = $1", [id]);
  await execute("UPDATE key_spend SET held_micros = 0 WHERE account_id = $1", [id]);
  const { status, json } = await asking;
  expect(status).toBe(200);
  const { costMicros } = await lastUsage(id);
  expect(costMicros).toBeGreaterThan(0n);
  expect(json.usage.cost_usd).toBe(`0.${String(costMicros).padStart(6, "0")}`);
  expect(await readMoney(id)).toMatchObject({ balance: before.balance - costMicros, held: 0n });
});
