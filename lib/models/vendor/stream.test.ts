import { describe, expect, it } from "vitest";
import { chunksOf } from "./chat";
import type { UpstreamResponse } from "./exchange";

const MEGABYTE = 1024 * 1024;

async function read(...pieces: (string | Uint8Array)[]) {
  async function* all() {
    for (const piece of pieces) {
      yield typeof piece === "string" ? Buffer.from(piece) : piece;
    }
  }
  const answer: UpstreamResponse = { status: 200, headers: {}, text: async () => "", pieces: all };
  const texts: unknown[] = [];
  for await (const { choices } of chunksOf(answer)) {
    texts.push(...choices.flatMap(({ delta }) => delta.content ?? []));
  }
  return texts;
}

function event(index: number, content: string, finish: string | null = null): string {
  const choices = [{ index, delta: { content }, finish_reason: finish }];
  return `data: ${JSON.stringify({ choices })}\n\n`;
}

describe("an upstream's stream", () => {
  it("is decoded correctly even if a character is split across pieces", async () => {
    const bytes = Buffer.from(`${event(0, "ä€", "stop")}data: [DONE]\n\n`);
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await read(...pieces)).toEqual(["ä€"]);
  });

  it("is complete when each choice has finished, even without [DONE]", async () => {
    expect(await read(event(0, "a"), event(1, "b", "stop"), event(0, "c", "length"))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("is an upstream error when a choice hasn't finished", async () => {
    await expect(read(event(0, "a"), event(1, "b", "stop"))).rejects.toMatchObject({
      code: "upstream_error",
    });
  });

  it.each([
    ["nothing", ""],
    ["only its end", "data: [DONE]\n\n"],
    ["only chunks without choices", 'data: {"choices":[]}\n\ndata: [DONE]\n\n'],
  ])("is an upstream error with %s", async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "upstream_error" });
  });

  it("can contain an event of several megabytes, but not an endless one", async () => {
    const large = "x".repeat(4 * MEGABYTE);
    expect((await read(event(0, large, "stop")))[0]).toHaveLength(large.length);
    const endless = Array.from({ length: 20 }, () => Buffer.alloc(MEGABYTE, "x"));
    await expect(read("data: ", ...endless)).rejects.toMatchObject({ code: "upstream_error" });
  });
});
