import { expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { countCitingAnswers } from "./citations";

const DAY_MS = 86_400_000;

it("counts the account's answers of thirty days that cite a document", async () => {
  const account = await makeKeyedAccount();
  const other = await makeKeyedAccount();
  const add = (
    { id, keyId }: { id: string; keyId: string },
    sources: { document_id: string; cited: boolean }[],
    daysAgo = 0,
  ) =>
    db().usageRecord.create({
      data: {
        ...{ id: newId("request"), accountId: id, keyId, endpoint: "/v1/chat/completions" },
        ...{ kind: "grounded", costMicros: 0n, rate: {}, status: 200, latencyMs: 1 },
        details: { sources },
        createdAt: new Date(Date.now() - daysAgo * DAY_MS),
      },
    });
  await add(account, [
    { document_id: "doc_a", cited: true },
    { document_id: "doc_a", cited: true },
  ]);
  await add(account, [
    { document_id: "doc_b", cited: true },
    { document_id: "doc_a", cited: false },
  ]);
  await add(account, [{ document_id: "doc_a", cited: true }], 31);
  await add(other, [{ document_id: "doc_a", cited: true }]);
  expect(await countCitingAnswers(account.ctx, "doc_a")).toBe(1);
  expect(await countCitingAnswers(account.ctx, "doc_c")).toBe(0);
});
