import { describe, expect, it } from "vitest";
import type { Passage } from "@/lib/library/retrieval/read/passages";
import { readCatalogue } from "@/lib/models/catalogue";
import { toModelRequest } from "@/lib/models/model-request";
import { fitSources } from "./fit-sources";

const TEXT = "Digoxin is stored on the fourth shelf of the cold room. ".repeat(10);
const FOUND = [1, 2, 3, 4, 5, 6].map((number) => ({
  title: `Shelf ${number}`,
  text: TEXT,
  headings: [],
  standing: "current",
})) as unknown as Passage[];

function fitted(contextLength: number, question = "Where is digoxin stored?") {
  const entry = { id: "m", context_length: contextLength, max_output_tokens: 4096 };
  const [model] = readCatalogue(JSON.stringify([entry]));
  if (!model) {
    throw new Error("no model");
  }
  const asked = { model: "m", messages: [{ role: "user" as const, content: question }] };
  const request = toModelRequest(asked, model);
  const bound = { prompt: 6000, completion: 4096 };
  const frame = { accountId: "acc", isSearchedAlone: false };
  return fitSources({ request, model, bound }, FOUND, frame);
}

describe("sources in the model's context", () => {
  it("are all kept where they fit", async () => {
    for (const contextLength of [128_000, 4096]) {
      const { passages, notices } = await fitted(contextLength);
      expect([passages.length, notices]).toEqual([6, []]);
    }
  });

  it("are left out from the end where they don't, and named", async () => {
    const { passages, promptSources, messages, notices } = await fitted(1000);
    expect(passages).toEqual(FOUND.slice(0, passages.length));
    expect(promptSources).toHaveLength(passages.length);
    expect(JSON.stringify(messages)).not.toContain("Shelf 6");
    expect(notices).toEqual([
      { code: "sources_left_out", message: expect.stringMatching(/context of 1000 .*"Shelf 6"/) },
    ]);
  });

  it("fail the request only if not even the first fits", async () => {
    await expect(fitted(450, "Where is digoxin stored? ".repeat(60))).rejects.toMatchObject({
      code: "context_length_exceeded",
      message: expect.stringMatching(/^This model's maximum context length is 450 tokens\./),
    });
  });
});
