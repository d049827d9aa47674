import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { EnvSchema } from "@/lib/platform/env";
import { addFakeModel } from "@/lib/testing/fake-local-model";
import { openEmbedder, readEmbeddingSettings } from "../embedding";
import { createForwardingEmbedder } from "../vendor/embeddings";
import { findLocalModel } from "./local-models";

const signal = new AbortController().signal;

function add(id?: string) {
  const fake = addFakeModel(id);
  onTestFinished(() => rmSync(fake.dataDir, { recursive: true }));
  return fake;
}

function open(DATA_DIR: string, variables: Record<string, string> = {}) {
  const env = EnvSchema.parse({ EMBEDDING_MODEL: "local", DATA_DIR, ...variables });
  const settings = readEmbeddingSettings(env);
  if (!settings) {
    throw new Error("no model is set");
  }
  return openEmbedder(settings);
}

describe("a local embedding model", () => {
  it("embeds passages and queries as unit vectors", async () => {
    const { dataDir } = add();
    const model = await open(dataDir);
    expect(model).toMatchObject({ dimensions: 384 });
    const [passage] = await model.embedPassages(["a passage"], signal);
    expect(Math.hypot(...(passage ?? []))).toBeCloseTo(1, 5);
    expect(await model.embedQuery("a query", signal)).toHaveLength(384);
  });

  it("names its vector space after the model and its weights", async () => {
    expect((await open(add().dataDir)).space).toMatch(/^local:all-minilm-l6-v2-[0-9a-f]{8}@384$/);
  });

  it("puts the prefixes before texts that the model was trained with", async () => {
    const { dataDir, texts } = add("multilingual-e5-small");
    const model = await open(dataDir, { EMBEDDING_MODEL: "local:multilingual-e5-small" });
    await model.embedPassages(["one"], signal);
    await model.embedQuery("two", signal);
    expect(texts()).toEqual(["passage: dimensions", "passage: one", "query: two"]);
  });

  it.each([
    ["isn't a number", "nan", "a vector of length NaN"],
    ["has other dimensions", "narrow", "3 dimensions instead of 384"],
  ])("rejects a vector that %s", async (_, text, message) => {
    const model = await open(add().dataDir);
    await expect(model.embedPassages([text], signal)).rejects.toThrow(message);
    await expect(model.embedQuery(text, signal)).rejects.toThrow(message);
  });

  it("says what to do if it wasn't added", async () => {
    const { dataDir, folder } = add();
    rmSync(folder, { recursive: true });
    await expect(open(dataDir)).rejects.toThrow("npm run models -- add all-minilm-l6-v2 FOLDER");
  });

  it("isn't loaded if a file has changed since it was added", async () => {
    const { dataDir, folder } = add();
    writeFileSync(path.join(folder, "model.onnx"), "other weights");
    await expect(open(dataDir)).rejects.toThrow("model.onnx has changed since the model was added");
  });

  it("embeds a text once more after a crash", async () => {
    const { dataDir, texts } = add();
    const model = await open(dataDir);
    expect(await model.embedQuery("crash once", signal)).toHaveLength(384);
    expect(texts()).toEqual(["dimensions", "crash once", "crash once"]);
  });

  it("is late after the time limit", async () => {
    const model = open(add().dataDir, { EMBEDDING_TIMEOUT_MS: "100" });
    const late = model.then(({ embedQuery }) => embedQuery("slow", signal));
    await expect(late).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringContaining("EMBEDDING_TIMEOUT_MS"),
    });
  });

  it("fails a caller's request with an error of the upstream", async () => {
    const { dataDir } = add();
    const settings = readEmbeddingSettings(
      EnvSchema.parse({ EMBEDDING_MODEL: "local", DATA_DIR: dataDir }),
    );
    const embed = settings && createForwardingEmbedder(settings);
    expect(await embed?.(["a text"], { signal })).toMatchObject({ tokens: 6 });
    await expect(embed?.(["crash always"], { signal })).rejects.toMatchObject({
      code: "upstream_error",
    });
  });
});

describe("EMBEDDING_MODEL", () => {
  const find = (EMBEDDING_MODEL: string, EMBEDDING_BASE_URL?: string) =>
    findLocalModel({ EMBEDDING_MODEL, EMBEDDING_BASE_URL, DATA_DIR: "data" });

  it("names a local model, unless there is an upstream's address", () => {
    expect(find("local")).toMatchObject({ id: "all-minilm-l6-v2", maxTokens: 256 });
    expect(find("local:multilingual-e5-small")).toMatchObject({ maxTokens: 512 });
    expect(find("local", "http://localhost:8080/v1")).toBeNull();
    expect(find("localized-embeddings")).toBeNull();
  });

  it("refuses a local model that isn't known, such as a path", () => {
    expect(() => find("local:../secrets")).toThrow("local models are local:all-minilm-l6-v2");
  });
});
