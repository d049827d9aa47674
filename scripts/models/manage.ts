import { rmSync } from "node:fs";
import { openEmbedder, readEmbeddingSettings } from "@/lib/models/embedding";
import { LOCAL_MODELS, type LocalModel, readManifest } from "@/lib/models/local/local-models";
import { env } from "@/lib/platform/env";

/** No question shares a word with its passage. */
const QUESTIONS = [
  "What helps against high blood pressure?",
  "Where can a tourist sleep cheaply?",
  "How do I get my money back?",
];
const PASSAGES = [
  "Hypertension is treated with diuretics.",
  "Hostels offer beds at low prices to travellers.",
  "A refund is issued within 14 days of a return.",
];
const LONG = "Air molecules scatter light of short wavelengths most. ".repeat(22);
const { signal: never } = new AbortController();

function settingsOf(id: string) {
  const variables = { ...env, EMBEDDING_MODEL: `local:${id}`, EMBEDDING_BASE_URL: undefined };
  const settings = readEmbeddingSettings(variables);
  if (!settings?.local) {
    throw new Error(`There is no local model ${id}.`);
  }
  return { ...settings, local: settings.local };
}

/** Throws for an id that isn't in the list. */
export function requireModel(id: string): LocalModel {
  return settingsOf(id).local;
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
  const startedAt = performance.now();
  const model = await openEmbedder(settingsOf(id));
  const loadMs = Math.round(performance.now() - startedAt);
  const passages = await model.embedPassages(PASSAGES, never);
  const queries = await Promise.all(QUESTIONS.map((text) => model.embedQuery(text, never)));
  const found = queries.filter((query, place) => {
    const cosines = passages.map((passage) =>
      passage.reduce((sum, x, at) => sum + x * (query[at] ?? 0), 0),
    );
    return cosines.indexOf(Math.max(...cosines)) === place;
  }).length;
  const questionMs = await medianMs(() => model.embedQuery("Why is the sky blue?", never));
  const passageMs = await medianMs(() => model.embedPassages([LONG], never));
  process.stdout.write(
    `${model.space}: loads in ${loadMs} ms, a question takes ${questionMs} ms, a passage of 180 words ${passageMs} ms; ${found} of ${QUESTIONS.length} questions are nearest to their own passage.\n`,
  );
  return found === QUESTIONS.length ? 0 : 1;
}

async function medianMs(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  while (times.length < 25) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return (times.toSorted((a, b) => a - b)[12] ?? 0).toFixed(1);
}
