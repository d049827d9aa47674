import { describe, expect, it } from "vitest";
import type { KeyContext } from "@/lib/platform/auth/context";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { addDocument, longText } from "@/lib/testing/add-document";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import { countTokens } from "@/lib/text/tokens";
import { NEIGHBOR_TOKENS } from "../neighbors";
import { readNeighbors } from "./passages";
import { search } from "./search";

const TEXT = longText([
  "Aspirin is stored on the first shelf.",
  "Bisoprolol is stored on the second shelf.",
  "Codeine is locked away.",
  "Digoxin is stored on the fourth shelf.",
  "Enalapril is stored on the fifth shelf.",
  "Furosemide is stored on the sixth shelf.",
  "Glucagon is stored in the refrigerator.",
]);

async function makeReader() {
  const account = await makeAccount();
  await addDocument(account.id, { title: "Store", text: TEXT });
  return { id: account.id, ctx: keyContext(account.ctx, {}) };
}

function find(
  ctx: KeyContext,
  id: string,
  overrides: { query?: string; topK?: number; context?: "section" },
) {
  const collection = {
    id: `customer_kb:${id}`,
    scope: "customer_kb" as const,
    accountId: id,
    personId: null,
  };
  return search(ctx, {
    query: "Where is codeine locked away?",
    collections: [collection],
    topK: 1,
    minScore: 0,
    ...overrides,
  });
}

describe("the neighbors of a passage", () => {
  it("are shown with it as one piece of the document, which the passage still points into", async () => {
    const { ctx, id } = await makeReader();
    const alone = (await find(ctx, id, {})).passages[0];
    const wide = (await find(ctx, id, { context: "section" })).passages[0];
    expect(alone?.shown).toBeUndefined();
    expect(wide).toMatchObject({ chunkId: alone?.chunkId, text: alone?.text });
    const { text = "", charStart = 0 } = wide?.shown ?? {};
    expect(text.length).toBeGreaterThan(wide?.text.length ?? 0);
    expect(text).toContain(wide?.text);
    expect(TEXT.slice(charStart, charStart + text.length)).toBe(text);
  });

  it("aren't shown twice, and not if they are passages themselves", async () => {
    const { ctx, id } = await makeReader();
    const { passages } = await find(ctx, id, {
      query: "nurses note the reading in the log",
      topK: 50,
      context: "section",
    });
    expect(passages.length).toBeGreaterThan(2);
    for (const { shown, text } of passages) {
      expect(shown?.text).toBe(text);
    }
  });

  it("of another account are never read", async () => {
    const owner = await makeReader();
    const stranger = await makeReader();
    const { passages } = await find(owner.ctx, owner.id, {});
    const signal = new AbortController().signal;
    const own = await asTenant(owner.id, () => readNeighbors(signal, passages));
    const others = await asTenant(stranger.id, () => readNeighbors(signal, passages));
    expect(own[0]?.shown?.text).not.toBe(passages[0]?.text);
    expect(others[0]?.shown?.text).toBe(passages[0]?.text);
  });

  it("stay within their bound", async () => {
    const { ctx, id } = await makeReader();
    const [wide] = (await find(ctx, id, { context: "section" })).passages;
    const added = countTokens(wide?.shown?.text ?? "") - countTokens(wide?.text ?? "");
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(NEIGHBOR_TOKENS);
  });
});
