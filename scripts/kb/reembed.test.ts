import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PUBLIC_COLLECTION } from "@/lib/library/documents/collections";
import { countStale, createReindexCursor } from "@/lib/library/documents/write/reindex";
import { type Embedder, replaceEmbedder } from "@/lib/models/embedding";
import { execute } from "@/lib/platform/db/client";
import { embedImported } from "./reembed";

const SPACE = "embed-imported@2";
const { signal } = new AbortController();

function output(stream: "stderr" | "stdout") {
  const write = vi.spyOn(process[stream], "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.join("");
}

describe("embedding what was imported", () => {
  it("reports a model that fails, and embeds the rest when it works", async () => {
    const sent: string[] = [];
    let isAway = true;
    const model: Embedder = {
      space: SPACE,
      dimensions: 2,
      embedQuery: () => Promise.reject(new Error("away")),
      embedPassages: async (texts) => {
        if (isAway && sent.length >= 8) {
          throw new Error("the model is away");
        }
        sent.push(...texts);
        return texts.map(() => Float32Array.of(1, 0));
      },
    };
    replaceEmbedder(model);
    onTestFinished(async () => {
      replaceEmbedder(undefined);
      await execute("DELETE FROM chunk_vector WHERE space = $1", [SPACE]);
    });
    const errors = output("stderr");
    output("stdout");
    const stale = () => countStale(createReindexCursor(PUBLIC_COLLECTION.id), model);
    const all = await stale();
    await embedImported(signal);
    expect(errors()).toContain("Not all passages are embedded: the model is away.");
    expect(await stale()).toBe(all - 8);
    isAway = false;
    await embedImported(signal);
    expect(sent).toHaveLength(all);
    expect(await stale()).toBe(0);
  });

  it("does nothing without a model, and stops when aborted", async () => {
    replaceEmbedder(null);
    onTestFinished(() => replaceEmbedder(undefined));
    await embedImported(signal);
    const stopped = AbortSignal.abort(new Error("Stopped."));
    await expect(embedImported(stopped)).rejects.toThrow("Stopped.");
  });
});
