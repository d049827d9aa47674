import { expect, it, onTestFinished, vi } from "vitest";
import type { KeyContext } from "@/lib/auth/context";
import { db } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { defaultModel } from "@/lib/models/catalogue";
import { replaceEmbedder } from "@/lib/models/embedding";
import { searchLimiter } from "@/lib/retrieval/search-limiter";
import { keyContext, makeKeyedAccount, setBalance } from "@/lib/testing/factories";
import { planChat } from "./plan";
import { beginMetering } from "./reserve-and-search";
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

async function begin(ctx: KeyContext, required = false) {
  const model = defaultModel().id;
  const body = ChatRequest.parse({
    model,
    messages: [{ role: "user", content: "amoxicillin" }],
    citations: { enabled: true, required },
  });
  const asked = { ...ctx, requestId: newId("request") };
  const { meter, grounding } = await beginMetering(asked, planChat(asked, body));
  const grounded = await grounding;
  await meter.fail(new Error("the test is over"), null);
  return { grounding, grounded };
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

it("holds nothing for a search that is required and would wait too long, and answers without one that is not", async () => {
  const { id, ctx, keyId } = await makeKeyedAccount();
  const key = keyContext(ctx, { id: keyId, knowledgeScopes: ["public_kb"] });
  await begin(key);
  const holds = () => db().hold.count({ where: { accountId: id } });
  const before = await holds();
  const crowded = vi.spyOn(searchLimiter, "shedLoad").mockImplementation(() => {
    throw new AppError("retrieval_unavailable", "Crowded.", { headers: { "retry-after": "1" } });
  });
  onTestFinished(() => crowded.mockRestore());
  await expect(begin(key, true)).rejects.toMatchObject({ code: "retrieval_unavailable" });
  expect(await holds()).toBe(before);
  const { grounded } = await begin(key);
  expect(grounded?.warnings).toMatchObject([{ code: "retrieval_unavailable" }]);
  expect(await holds()).toBe(before + 1);
});
