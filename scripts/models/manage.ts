import { rmSync } from "node:fs";
import { openEmbedder, readEmbeddingSettings } from "@/lib/models/embedding";
import {
  findLocalModel,
  LOCAL_MODELS,
  type LocalModel,
  readManifest,
} from "@/lib/models/local/local-models";
import { env } from "@/lib/platform/env";

/** No question shares a word with its passage. */
const PAIRS = [
  ["What helps against high blood pressure?", "Hypertension is treated with diuretics."],
  ["Where can a tourist sleep cheaply?", "Hostels offer beds at low prices to travellers."],
  ["How do I get my money back?", "A refund is issued within 14 days of a return."],
  ["Why is the sky blue?", "Air molecules scatter light of short wavelengths most."],
] as const;
const ROUNDS = 25;
const WORDS = 180;
const { signal: never } = new AbortController();

/** Throws for an id that isn't in the list. */
export function requireModel(id: string): LocalModel {
  const variables = { ...env, EMBEDDING_MODEL: `local:${id}`, EMBEDDING_BASE_URL: undefined };
  const model = findLocalModel(variables);
  if (!model) {
    throw new Error(`There is no local model ${id}.`);
  }
  return model;
}

export async function listModels(): Promise<number> {
  for (const { id } of LOCAL_MODELS) {
    process.stdout.write(`local:${id}  ${describeModel(requireModel(id))}\n`);
  }
  return 0;
}

function describeModel(model: LocalModel): string {
  try {
    const { source, files } = readManifest(model);
    return `added from ${source}, SHA-256 ${files["model.onnx"]}`;
  } catch {
    return "not added";
  }
}

export async function removeModel(id: string): Promise<number> {
  rmSync(requireModel(id).folder, { recursive: true, force: true });
  return 0;
}

/** Exit code 1 if a question is nearer to another passage than to its own. */
export async function testModel(id: string): Promise<number> {
  requireModel(id);
  const variables = { ...env, EMBEDDING_MODEL: `local:${id}`, EMBEDDING_BASE_URL: undefined };
  const settings = readEmbeddingSettings(variables);
  const startedAt = performance.now();
  const model = settings && (await openEmbedder(settings));
  const loadMs = performance.now() - startedAt;
  if (!model) {
    return 1;
  }
  const passages = await model.embedPassages(
    PAIRS.map(([, passage]) => passage),
    never,
  );
  let found = 0;
  for (const [place, [question]] of PAIRS.entries()) {
    const query = await model.embedQuery(question, never);
    const cosines = passages.map((passage) =>
      passage.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
    );
    found += cosines.indexOf(Math.max(...cosines)) === place ? 1 : 0;
  }
  const questionMs = await time(() => model.embedQuery(PAIRS[0][0], never));
  const passage = `${PAIRS[0][1]} `.repeat(WORDS / PAIRS[0][1].split(" ").length);
  const passageMs = await time(() => model.embedPassages([passage], never));
  process.stdout.write(
    `${model.space}: loads in ${loadMs.toFixed(0)} ms, a question takes ${questionMs.toFixed(1)} ms, a passage of ${WORDS} words ${passageMs.toFixed(0)} ms; ${found} of ${PAIRS.length} questions are nearest to their own passage.\n`,
  );
  return found === PAIRS.length ? 0 : 1;
}

/** The median, in milliseconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}
