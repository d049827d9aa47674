import { expect, it, onTestFinished, vi } from "vitest";
import type { Batcher } from "@/lib/db/batcher";
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
