import { createHash } from "node:crypto";
import { termsOf } from "@/lib/text/analyzer";

const DIMENSIONS = 64;

/** How an /embeddings response deviates from a valid one. */
export interface EmbeddingScript {
  /** Returns this many dimensions regardless of the request. */
  dimensions?: number;
  /** Returns the items in reverse order, with correct indexes. */
  isReversed?: boolean;
  /** Omits the indexes, like Gemini. */
  noIndex?: boolean;
  /** Returns floats regardless of the request. */
  noBase64?: boolean;
  /** Rejects base64 with 400, like Gemini. */
  refusesBase64?: boolean;
  /** Sent instead of the data, valid or not. */
  data?: unknown;
  /** Leaves the usage out. */
  noUsage?: boolean;
  /** Overrides fields of each item. */
  item?: Record<string, unknown>;
  delayMs?: number;
  /** In addition, for each text. */
  textMs?: number;
}

export interface EmbeddingRequest {
  input?: string | string[];
  model?: string;
  dimensions?: number;
  encoding_format?: string;
}

/**
 * A unit vector close to those of texts with the same word stems: the sum of a fixed random direction for each
 * content word. A weak embedding model, deterministic across processes.
 */
export function fakeVector(text: string, dimensions = DIMENSIONS): Float32Array {
  const terms = termsOf(text);
  const sum = new Float32Array(dimensions);
  // A text of only stop words needs a direction too, because a zero vector has none.
  for (const term of terms.length > 0 ? terms : [text]) {
    const direction = directionOf(term, dimensions);
    for (const [place, value] of direction.entries()) {
      sum[place] = (sum[place] ?? 0) + value;
    }
  }
  return toUnit(sum);
}

export function delayOf(
  { input = [] }: EmbeddingRequest,
  { delayMs = 0, textMs = 0 }: EmbeddingScript,
): number {
  return delayMs + textMs * [input].flat().length;
}

/** The status and body of an /embeddings response. */
export function answerEmbeddings(
  request: EmbeddingRequest,
  script: EmbeddingScript,
): { status: number; body: object } {
  const isBase64 = request.encoding_format === "base64" && !script.noBase64;
  if (isBase64 && script.refusesBase64) {
    return { status: 400, body: { error: { message: "encoding_format must be float" } } };
  }
  const texts = [request.input ?? []].flat();
  const data = texts.map((text, index) => {
    const vector = fakeVector(text, script.dimensions ?? request.dimensions);
    return {
      object: "embedding",
      ...(!script.noIndex && { index }),
      embedding: isBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector],
      ...script.item,
    };
  });
  const tokens = texts.join(" ").split(/\s+/).length;
  return {
    status: 200,
    body: {
      object: "list",
      model: request.model,
      data: script.data ?? (script.isReversed ? data.reverse() : data),
      ...(!script.noUsage && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    },
  };
}

const directions = new Map<string, Float32Array>();

function directionOf(term: string, dimensions: number): Float32Array {
  const name = `${dimensions} ${term}`;
  const known = directions.get(name);
  if (known) {
    return known;
  }
  const bytes = Buffer.concat(
    Array.from({ length: Math.ceil(dimensions / 16) }, (_, block) =>
      createHash("sha256").update(`${block} ${term}`).digest(),
    ),
  );
  const direction = toUnit(
    Float32Array.from({ length: dimensions }, (_, place) => bytes.readInt16LE(place * 2)),
  );
  directions.set(name, direction);
  return direction;
}

function toUnit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}
