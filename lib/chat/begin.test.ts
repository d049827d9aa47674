import { expect, it, onTestFinished, vi } from "vitest";
import type { KeyContext } from "@/lib/auth/context";
import { newId } from "@/lib/id";
import { defaultModel } from "@/lib/models/catalogue";
import { replaceEmbedder } from "@/lib/models/embedding";
import { keyContext, makeKeyedAccount, setBalance } from "@/lib/testing/factories";
import { beginMetering } from "./begin";
import { planChat } from "./plan";
import { ChatRequest } from "./schema";

function countSearches() {
  const embedQuery = vi.fn(async () => Float32Array.of(1, 0, 0, 0));
  replaceEmbedder({
    space: "begin@4",
    dimensions: 4,
    maxQueryTokens: 100,
    embedPassages: () => Promise.reject(new Error("nothing is embedded here")),
    embedQuery,
  });
  onTestFinished(() => replaceEmbedder(undefined));
  return embedQuery;
}

async function begin(ctx: KeyContext) {
  const model = defaultModel().id;
  const body = ChatRequest.parse({
    model,
    messages: [{ role: "user", content: "amoxicillin" }],
    citations: { enabled: true },
  });
  const asked = { ...ctx, requestId: newId("request") };
  const { meter, grounding } = await beginMetering(asked, planChat(asked, body));
  await grounding;
  await meter.fail(new Error("the test is over"), null);
  return { grounding };
}

it("searches before the hold stands, but not for a key that was not admitted last time", async () => {
  const searched = countSearches();
  const { id, ctx, keyId } = await makeKeyedAccount();
  const key = keyContext(ctx, { id: keyId, knowledgeScopes: ["public_kb"] });
  expect((await begin(key)).grounding).toBeNull();
  expect((await begin(key)).grounding).not.toBeNull();
  await setBalance(id, 0);
  await expect(begin(key)).rejects.toMatchObject({ code: "insufficient_balance" });
  const before = searched.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  await expect(begin(key)).rejects.toMatchObject({ code: "insufficient_balance" });
  expect(searched).toHaveBeenCalledTimes(before);
});
