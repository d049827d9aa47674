import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Stands in for onnxruntime-node: what it does depends on the text, which the fake tokenizer passes on as letters. */
const RUNTIME = `
const fs = require("node:fs");
const path = require("node:path");
const file = (name) => path.join(__dirname, name);
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
exports.InferenceSession = { create: async () => ({
  inputNames: ["input_ids", "attention_mask"],
  outputNames: ["last_hidden_state"],
  run: async ({ input_ids: { data, dims } }) => {
    const text = String.fromCodePoint(...Array.from(data, Number));
    fs.appendFileSync(file("texts"), text + "\\n");
    if (text.includes("crash always")) process.exit(1);
    if (text.includes("crash once") && !fs.existsSync(file("crashed"))) {
      fs.writeFileSync(file("crashed"), "");
      process.exit(1);
    }
    if (text.includes("hang")) for (;;);
    if (text.includes("large")) process.memoryUsage.rss = () => 2 ** 40;
    if (text.includes("slow")) await new Promise((resolve) => setTimeout(resolve, 200));
    const width = text.includes("narrow") ? 3 : 384;
    const value = (place) => text.includes("nan") ? NaN : (place % width) + 1;
    const length = dims[1] * width;
    return { last_hidden_state: { dims: [1, dims[1], width], data: Float32Array.from({ length }, (_, place) => value(place)) } };
  },
}) };
`;
const TOKENIZERS = `
exports.Tokenizer = class { encode(text) { return { ids: Array.from(text, (letter) => letter.codePointAt(0)) }; } };
`;
const FILES = { "model.onnx": "weights", "tokenizer.json": "{}" };

/** A data folder with a local model, and the texts that it was asked to embed, in order. */
export function addFakeModel(id = "all-minilm-l6-v2") {
  const dataDir = mkdtempSync(path.join(tmpdir(), "local-model-"));
  const folder = path.join(dataDir, "models", id);
  const modules = path.join(dataDir, "models/runtime/node_modules");
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const digests = Object.entries(FILES).map(([name, text]) => {
    write(path.join(folder, name), text);
    return [name, createHash("sha256").update(text).digest("hex")];
  });
  const manifest = { source: dataDir, files: Object.fromEntries(digests) };
  write(path.join(folder, "manifest.json"), JSON.stringify(manifest));
  write(path.join(dataDir, "models/runtime/package.json"), "{}");
  write(path.join(modules, "onnxruntime-node/index.js"), RUNTIME);
  write(path.join(modules, "@huggingface/tokenizers/index.js"), TOKENIZERS);
  const texts = () =>
    readFileSync(path.join(modules, "onnxruntime-node/texts"), "utf8").trim().split("\n");
  return { dataDir, folder, texts };
}
