import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// A process that runs one local embedding model: one text at a time, so that a text's vector doesn't depend on others.
// In development Node strips the types and runs this file directly, so it can import only Node's own modules and types.

export interface ModelProcessSettings {
  folder: string;
  runtime: string;
  maxTokens: number;
  /** SHA-256 by file name. */
  files: { "model.onnx": string; "tokenizer.json": string };
}

/** First an empty one when the model is loaded, then one for each text. */
export interface ModelReply {
  /** Of length 1. */
  vector?: number[];
  tokens?: number;
  memoryMb?: number;
  error?: string;
}

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, object>): Promise<Record<string, Tensor>>;
}

/** What is used of onnxruntime-node and @huggingface/tokenizers, which `npm run models -- add` installs. */
interface Runtime {
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
}
interface Tokenizers {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { ids: number[] } };
}

const settings: ModelProcessSettings = JSON.parse(process.argv[2] ?? "");

// An exit would wait for native code.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Those of a terminal or a service manager are for the parent.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {});
}
const embed = openModel();
process.on("message", async (text: string) => reply(await (await embed)(text).catch(toError)));
reply(await embed.then(() => ({}), toError));

/** Uses one thread, to leave the other cores free. */
async function openModel(): Promise<(text: string) => Promise<ModelReply>> {
  const load = createRequire(path.join(settings.runtime, "package.json"));
  const { InferenceSession, Tensor }: Runtime = load("onnxruntime-node");
  const { Tokenizer }: Tokenizers = load("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(JSON.parse(read("tokenizer.json").toString()), {});
  const session = await InferenceSession.create(read("model.onnx"), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Texts differ in length: an arena would hold memory for the longest, for no speed.
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
  return async (text) => {
    const ids = truncate(tokenizer.encode(text).ids);
    const values: Record<string, bigint[]> = {
      input_ids: ids.map(BigInt),
      attention_mask: ids.map(() => 1n),
      token_type_ids: ids.map(() => 0n),
    };
    const feeds = session.inputNames.map((name) => {
      const tensor = new Tensor("int64", BigInt64Array.from(values[name] ?? []), [1, ids.length]);
      return [name, tensor];
    });
    const outputs = await session.run(Object.fromEntries(feeds));
    const vector = toMean(outputs[session.outputNames[0] ?? ""], ids.length);
    const memoryMb = process.memoryUsage.rss() / 2 ** 20;
    return { vector, tokens: ids.length, memoryMb };
  };
}

/** The last token marks the end of a text. */
function truncate(ids: readonly number[]): number[] {
  const { maxTokens } = settings;
  return ids.length <= maxTokens ? [...ids] : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

function toMean(output: Tensor | undefined, tokens: number): number[] {
  const [, length, dimensions = 0] = output?.dims ?? [];
  if (!output || length !== tokens) {
    throw new Error(`The model's output has the shape [${output?.dims}].`);
  }
  const sums = new Array<number>(dimensions).fill(0);
  for (const [place, value] of output.data.entries()) {
    sums[place % dimensions] = (sums[place % dimensions] ?? 0) + value;
  }
  const norm = Math.hypot(...sums);
  return sums.map((sum) => sum / norm);
}

/** Throws when a file isn't the one that was added. */
function read(name: keyof ModelProcessSettings["files"]): Buffer {
  const bytes = readFileSync(path.join(settings.folder, name));
  if (createHash("sha256").update(bytes).digest("hex") !== settings.files[name]) {
    throw new Error(`${name} has changed since the model was added.`);
  }
  return bytes;
}

function toError(cause: unknown): ModelReply {
  return { error: cause instanceof Error ? cause.message : String(cause) };
}

function reply(message: ModelReply): void {
  process.send?.(message);
}
