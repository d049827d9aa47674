import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import { createAdmission } from "@/server/admission";
import { createHost } from "@/server/host";

// The public API itself. Attackers and victim share one address.

const MAX_IN_FLIGHT = 12;
const SHARE = MAX_IN_FLIGHT / 4;
const JSON_TYPE = { "content-type": "application/json" };

let routes: Parameters<typeof createHost>[0];
beforeAll(async () => {
  routes = (await import("@/server/v1")).ROUTES;
});

async function start() {
  const host = createHost(routes, (request, response) => {
    request.resume().once("end", () => response.end());
  });
  const admission = createAdmission(host.answer, {
    maxInFlight: MAX_IN_FLIGHT,
    isOverloaded: () => false,
  });
  onTestFinished(() => admission.close());
  const port = await serve(admission.answer);
  const [attacker, victim] = await Promise.all([makeKeyedAccount(), makeKeyedAccount()]);
  const listModels = () =>
    fetch(`http://127.0.0.1:${port}/v1/models`, {
      headers: { authorization: `Bearer ${victim.key}` },
    });
  return { port, attacker, listModels };
}

describe("another account", () => {
  it.each([
    ["/v1/chat/completions", true],
    ["/v1/chat/completions", false],
    ["/v1/kb/documents", true],
    ["/api/account/sign-up", false],
    ["/api/webhooks/stripe", false],
  ])("is served while bodies of %s trickle in (with a key: %s)", async (path, hasKey) => {
    const { port, attacker, listModels } = await start();
    const headers: Record<string, string> = { ...JSON_TYPE, "content-length": "1000" };
    if (hasKey) {
      headers.authorization = `Bearer ${attacker.key}`;
    }
    for (let count = 0; count < 3 * MAX_IN_FLIGHT; count += 1) {
      const client = rawClient(port);
      client.send(`${head(`POST ${path}`, headers)}{`);
    }
    for (let count = 0; count < 10; count += 1) {
      expect((await listModels()).status).toBe(200);
    }
  });

  it("is served while one account has as many requests running as it may", async () => {
    const { port, attacker, listModels } = await start();
    const body = JSON.stringify({
      model: "scripted",
      messages: [{ role: "user", content: 'script:{"text":"late","delayMs":2000}' }],
    });
    const statuses: number[] = [];
    const asked = Array.from({ length: MAX_IN_FLIGHT - 1 }, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: "POST",
        headers: { ...JSON_TYPE, authorization: `Bearer ${attacker.key}` },
        body,
      });
      statuses.push(answer.status);
      await answer.text();
    });
    await expect.poll(() => statuses.length).toBe(MAX_IN_FLIGHT - 1 - SHARE);
    expect((await listModels()).status).toBe(200);
    await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SHARE);
    expect(statuses.filter((status) => status === 429)).toHaveLength(MAX_IN_FLIGHT - 1 - SHARE);
    await expect.poll(async () => (await readMoney(attacker.id)).held).toBe(0n);
  });
});
