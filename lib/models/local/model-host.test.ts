import { rmSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { addFakeModel } from "@/lib/testing/fake-local-model";
import { findLocalModel } from "./local-models";
import { createModelHost } from "./model-host";

const signal = new AbortController().signal;

function host(answerMs?: number) {
  const { dataDir, texts } = addFakeModel();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const model = findLocalModel({
    EMBEDDING_MODEL: "local",
    EMBEDDING_BASE_URL: undefined,
    DATA_DIR: dataDir,
  });
  if (!model) {
    throw new Error("no model");
  }
  const { embed } = createModelHost(model, answerMs);
  const ask = (text: string, options = {}) => embed(text, { signal, isUrgent: false, ...options });
  return { ask, texts };
}

it("answers queries before passages that came first", async () => {
  const { ask, texts } = host();
  const passages = ["slow", "passage one", "passage two"].map((text) => ask(text));
  await Promise.all([...passages, ask("query", { isUrgent: true })]);
  expect(texts()).toEqual(["slow", "query", "passage one", "passage two"]);
});

it("starts the process again after a crash", async () => {
  const { ask, texts } = host();
  const replies = await Promise.allSettled([ask("crash once"), ask("next")]);
  expect(replies.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(texts()).toEqual(["crash once", "next"]);
});

it("stops starting a process that keeps crashing, and tries again later", async () => {
  const { ask, texts } = host();
  for (let time = 0; time < 6; time += 1) {
    await expect(ask("crash always")).rejects.toThrow("ended its process");
  }
  expect(texts()).toHaveLength(5);
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 2000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await ask("works again")).toMatchObject({ tokens: 11 });
});

it("ends a process that hangs", async () => {
  const { ask } = host(1000);
  await expect(ask("hang")).rejects.toThrow("did not answer within 1000 ms");
  expect(await ask("next")).toMatchObject({ tokens: 4 });
});

it("replaces a process that uses too much memory", async () => {
  const { ask, texts } = host();
  const replies = await Promise.all([ask("large"), ask("next")]);
  expect(replies.map(({ memoryMb = 0 }) => memoryMb > 1000)).toEqual([true, false]);
  expect(texts()).toEqual(["large", "next"]);
});

it("skips texts that nobody waits for anymore", async () => {
  const { ask, texts } = host();
  const abort = new AbortController();
  const first = ask("slow");
  const gone = ask("gone", { signal: abort.signal });
  abort.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  await Promise.all([first, ask("last")]);
  expect(texts()).toEqual(["slow", "last"]);
});

it("cuts texts at the model's token limit", async () => {
  const { ask, texts } = host();
  expect(await ask(`${"a".repeat(300)}z`)).toMatchObject({ tokens: 256 });
  expect(texts()).toEqual([`${"a".repeat(255)}z`]);
});
