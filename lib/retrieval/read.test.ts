import { describe, expect, it } from "vitest";
import { PUBLIC_COLLECTION } from "@/lib/documents/collections";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { search } from "./read";

const input = {
  query: "How is warfarin monitored?",
  collections: [PUBLIC_COLLECTION],
  topK: 8,
  sourceTypes: undefined,
  minScore: 0,
};

describe("a search", () => {
  it("finds passages while somebody waits for them", async () => {
    const { ctx } = await makeAccount();
    expect((await search(keyContext(ctx, {}), input)).length).toBeGreaterThan(0);
  });

  it("does not begin for a client that has hung up already", async () => {
    const { ctx } = await makeAccount();
    const gone = { ...keyContext(ctx, {}), signal: AbortSignal.abort() };
    await expect(search(gone, input)).rejects.toMatchObject({ code: "retrieval_unavailable" });
  });
});
