import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { replaceReranker } from "@/lib/models/rerank";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { setLimit } from "@/lib/testing/set-limit";
import { search } from "./search";
import { MAX_RERANKED } from "./select";

function useReranker(model: string | undefined = "reranker"): string {
  setLimit("RETRIEVAL_DEADLINE_MS", 30_000);
  setLimit("RERANK_TIMEOUT_MS", 10_000);
  const path = `/${newId("request")}/rerank`;
  const url = upstream().url.replace("/v1", path);
  replaceReranker({ url, apiKey: undefined, model });
  onTestFinished(() => replaceReranker(undefined));
  return path;
}

/** The fake reranker follows the script in the query. */
async function find(
  script: object,
  { topK = 8, minScore = 0, signal = new AbortController().signal } = {},
) {
  const { ctx } = await makeAccount();
  const { passages, notices } = await search(
    { ...keyContext(ctx, {}), signal },
    {
      query: `How is warfarin monitored? script:${JSON.stringify(script)}`,
      collections: [PUBLIC_COLLECTION],
      topK,
      minScore,
    },
  );
  return { ids: passages.map(({ chunkId }) => chunkId), passages, notices };
}

function answer(...scores: [index: number, score: number][]) {
  return {
    answer: { results: scores.map(([index, relevance_score]) => ({ index, relevance_score })) },
  };
}

describe("a search with a reranker", () => {
  it("returns the passages by its scores, those without one after them", async () => {
    const script = answer([1, 0.2], [3, 0.9]);
    const { ids: before } = await find(script);
    useReranker();
    const { ids, notices } = await find(script);
    const rest = before.filter((_, index) => index !== 1 && index !== 3);
    expect(ids).toEqual([before[3], before[1], ...rest]);
    expect(notices).toEqual([]);
  });

  it("can return a passage from beyond top_k", async () => {
    const script = answer([5, 1]);
    const { ids: before } = await find(script);
    useReranker(undefined);
    expect((await find(script, { topK: 2 })).ids).toEqual([before[5], before[0]]);
  });

  it("still filters by our own similarity, which stays the passages'", async () => {
    const script = answer([0, 0.1], [1, 0.2]);
    const all = (await find(script)).passages;
    const least = all[1]?.similarity ?? 0;
    useReranker();
    const { passages } = await find(script, { minScore: least });
    expect(passages.every(({ similarity }) => similarity >= least)).toBe(true);
    expect(passages[0]?.similarity).toBe(least);
  });

  it("sends a bounded number of texts", async () => {
    const path = useReranker();
    await find(answer([0, 1]), { topK: 50 });
    const [seen] = upstream().seen.filter((one) => one.path === path);
    expect(seen?.body.documents?.length).toBeGreaterThan(2);
    expect(seen?.body.documents?.length).toBeLessThanOrEqual(MAX_RERANKED);
  });

  it.each([
    ["is late", { delayMs: 60_000 }],
    ["fails", { status: 500 }],
    ["rejects the request", { status: 422 }],
    ["answers nonsense", { answer: [{ index: 99, score: 1 }] }],
    ["breaks the connection", { fault: "resets" }],
  ])("keeps its own order and notes it when the reranker %s", async (_, script) => {
    const { ids: before } = await find(script);
    useReranker();
    setLimit("RERANK_TIMEOUT_MS", 200);
    const { ids, notices } = await find(script);
    expect(ids).toEqual(before);
    expect(notices).toEqual([{ code: "rerank_skipped", message: expect.any(String) }]);
  });

  it("ends when the client leaves", async () => {
    const path = useReranker();
    const disconnect = new AbortController();
    const searching = find({ delayMs: 60_000 }, { signal: disconnect.signal });
    const asked = () => upstream().seen.some((one) => one.path === path);
    await expect.poll(asked).toBe(true);
    disconnect.abort();
    await expect(searching).rejects.toMatchObject({ code: "retrieval_unavailable" });
  });
});
