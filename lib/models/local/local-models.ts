import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { type Env, isLocalModel } from "@/lib/platform/env";

/** An embedding model that runs on this machine. Its vectors are the means of its tokens' vectors. */
export interface LocalModel {
  id: string;
  dimensions: number;
  /** Longer texts are cut. */
  maxTokens: number;
  /** Its process is replaced when it uses more. */
  memoryMb: number;
  /** Of the model's files. */
  folder: string;
  /** Of the packages that run it. */
  runtime: string;
}

export const LOCAL_MODELS = [
  { id: "all-minilm-l6-v2", dimensions: 384, maxTokens: 256, memoryMb: 600 },
  { id: "multilingual-e5-small", dimensions: 384, maxTokens: 512, memoryMb: 1600 },
] as const;

/** In the folder of a model, beside its files. */
export const MANIFEST = "manifest.json";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Manifest = z.object({
  source: z.string(),
  files: z.object({ "model.onnx": Sha256, "tokenizer.json": Sha256 }),
});
export type Manifest = z.infer<typeof Manifest>;

/**
 * The model that `EMBEDDING_MODEL=local` or `local:ID` names, whether it was added or not; null for an upstream's, such as
 * any at EMBEDDING_BASE_URL. Throws for an unknown id.
 */
export function findLocalModel(
  env: Pick<Env, "EMBEDDING_MODEL" | "EMBEDDING_BASE_URL" | "DATA_DIR">,
): LocalModel | null {
  if (!isLocalModel(env)) {
    return null;
  }
  const { EMBEDDING_MODEL = "", DATA_DIR } = env;
  const [, id = LOCAL_MODELS[0].id] = EMBEDDING_MODEL.split(":");
  const model = LOCAL_MODELS.find((each) => each.id === id);
  if (!model) {
    const known = LOCAL_MODELS.map((each) => `local:${each.id}`).join(" or ");
    throw new Error(`EMBEDDING_MODEL is ${EMBEDDING_MODEL}, but local models are ${known}`);
  }
  const folder = path.resolve(/* turbopackIgnore: true */ DATA_DIR, "models");
  return { ...model, folder: path.join(folder, id), runtime: path.join(folder, "runtime") };
}

/** What was added of a model, which its process compares with what it loads. Throws with what to do if nothing was. */
export function readManifest({ id, folder }: Pick<LocalModel, "id" | "folder">): Manifest {
  try {
    return Manifest.parse(JSON.parse(readFileSync(path.join(folder, MANIFEST), "utf8")));
  } catch (cause) {
    throw new Error(`is not in ${folder}; add it with npm run models -- add ${id} FOLDER`, {
      cause,
    });
  }
}
