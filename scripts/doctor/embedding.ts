import { LEAST_SEPARATION } from "@/lib/library/documents/calibration";
import { readCalibration } from "@/lib/library/documents/read/calibration";
import { QUERY_SHARE } from "@/lib/library/retrieval/read/query-embedding";
import { type Embedder, openEmbedder, readEmbeddingSettings } from "@/lib/models/embedding";
import type { Env } from "@/lib/platform/env";
import { takeTokens } from "@/lib/text/tokens";
import type { Finding } from "./settings";

const SENTENCE = "How is high blood pressure treated?";
/** Two passages that begin with the same text and end with these. */
const BEGINNING = "The town council meets on the first Monday of each month. ";
const ENDINGS = ["Whales breathe air and feed on krill. ", "A violin has four strings and a bow. "];
const ENDING_SHARE = 0.25;
/** A model that reads the endings gives them vectors with a lower cosine. */
const SAME = 0.9999;

const { signal: never } = new AbortController();

/** Asks the configured model for vectors. `space` is null without a model that answers. */
export async function checkEmbedder(
  env: Env,
): Promise<{ space: string | null; findings: Finding[] }> {
  try {
    const settings = readEmbeddingSettings(env);
    const model = settings && (await openEmbedder(settings));
    const findings = model
      ? [...(await checkSpeed(model, env)), ...(await checkEnd(model, env))]
      : [];
    return { space: model?.space ?? null, findings };
  } catch (cause) {
    return { space: null, findings: [aboutModel(`Searches are by words alone: ${said(cause)}.`)] };
  }
}

async function checkSpeed(model: Embedder, { RETRIEVAL_DEADLINE_MS }: Env): Promise<Finding[]> {
  const patienceMs = RETRIEVAL_DEADLINE_MS * QUERY_SHARE;
  const startedAt = performance.now();
  await model.embedQuery(SENTENCE, never);
  const tookMs = performance.now() - startedAt;
  const message = `Embedding a sentence took ${Math.round(tookMs)} ms. Searches wait ${patienceMs} ms, then use words alone.`;
  return tookMs > patienceMs ? [aboutModel(message)] : [];
}

/** Whether the model reads the end of a passage of the usual size. */
async function checkEnd(model: Embedder, { CHUNK_TOKENS }: Env): Promise<Finding[]> {
  const endTokens = Math.ceil(CHUNK_TOKENS * ENDING_SHARE);
  const begin = takeTokens(BEGINNING.repeat(CHUNK_TOKENS), CHUNK_TOKENS - endTokens);
  const passages = ENDINGS.map(
    (ending) => begin + takeTokens(ending.repeat(CHUNK_TOKENS), endTokens),
  );
  const [one, other] = await model.embedPassages(passages, never).catch(() => []);
  const cosine = one?.reduce((sum, value, place) => sum + value * (other?.[place] ?? 0), 0) ?? 1;
  const message = `The embedding model doesn't read the end of a passage of ${CHUNK_TOKENS} tokens, or refuses it. Use fewer, and set EMBEDDING_MAX_TOKENS to what the model takes.`;
  return cosine > SAME ? [{ level: "advice", about: "CHUNK_TOKENS", message }] : [];
}

/** Whether searches use the vectors that are stored for a space. */
export async function checkSeparation(space: string): Promise<Finding[]> {
  const calibration = await readCalibration(space);
  if (!calibration) {
    const message = `Searches are by words alone until a minute after 20 passages have vectors of ${space}.`;
    return [aboutModel(message)];
  }
  const { separation } = calibration;
  const message = `The model doesn't tell your passages apart: a sentence is only ${separation.toFixed(1)} standard deviations nearer to its own passage than to others. Searches are by words alone until it is at least ${LEAST_SEPARATION}.`;
  return separation < LEAST_SEPARATION ? [aboutModel(message)] : [];
}

function aboutModel(message: string): Finding {
  return { level: "advice", about: "EMBEDDING_MODEL", message };
}

function said(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
