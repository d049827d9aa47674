import { expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { searchLimiter } from "@/lib/library/retrieval/read/search-limiter";
import { defaultModel } from "@/lib/models/catalogue";
import { replaceEmbedder } from "@/lib/models/embedding";
import { toUsage } from "@/lib/models/message-tokens";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { setCalibration } from "@/lib/testing/calibration";
import { keyContext, makeKeyedAccount, setBalance } from "@/lib/testing/factories";
import { anyAnswer } from "@/lib/testing/stored-answer";
import { withMeter } from "./meter";
import { planChat } from "./plan";
import { ChatRequest } from "./schema";

async function countSearches() {
  await setCalibration("begin@4");
  const embedQuery = vi.fn(async () => Float32Array.of(1, 0, 0, 0));
  replaceEmbedder({
    space: "begin@4",
    dimensions: 4,
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
  const request = { ...ctx, requestId: newId("request") };
  return withMeter(request, await planChat(request, body), async (meter, { grounded }) => {
    const progress = { kind: "grounded", usage: toUsage(0, 0), firstTokenMs: null } as const;
    await meter.close(progress, () => anyAnswer());
    return grounded;
  });
}

it("searches while placing the hold, but only once the key's last request was admitted", async () => {
  const searched = await countSearches();
  const { id, ctx, keyId } = await makeKeyedAccount();
  const key = keyContext(ctx, { id: keyId, knowledgeScopes: ["public_kb"] });
  await begin(key);
  await setBalance(id, 0);
  const admitted = searched.mock.calls.length;
  await expect(begin(key)).rejects.toMatchObject({ code: "insufficient_balance" });
  await vi.waitFor(() => expect(searched).toHaveBeenCalledTimes(admitted + 1));
  await expect(begin(key)).rejects.toMatchObject({ code: "insufficient_balance" });
  expect(searched).toHaveBeenCalledTimes(admitted + 1);
});

it("places no hold if a required search would wait too long, and skips an optional one", async () => {
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
  const grounded = await begin(key);
  expect(grounded.warnings).toMatchObject([{ code: "retrieval_unavailable" }]);
  expect(await holds()).toBe(before + 1);
});
