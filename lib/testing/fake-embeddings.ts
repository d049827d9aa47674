import { createHash } from "node:crypto";
import { termsOf } from "@/lib/text/analyzer";

const DIMENSIONS = 64;

/** How an answer to /embeddings differs from a right one. */
export interface EmbeddingScript {
  /** Answers this many dimensions, whatever is asked. */
  dimensions?: number;
  /** Answers the items in the opposite order, each with its right index. */
  isReversed?: boolean;
  /** Leaves the indexes out, as Gemini does. */
  noIndex?: boolean;
  /** Answers floats, whatever is asked. */
  noBase64?: boolean;
  /** Answers base64 with 400, as Gemini does. */
  refusesBase64?: boolean;
  /** Sent in place of the data, however wrong. */
  data?: unknown;
  /** Fields that each item has instead of its own. */
  item?: Record<string, unknown>;
}

export interface EmbeddingRequest {
  input?: string | string[];
  model?: string;
  dimensions?: number;
  encoding_format?: string;
}

/**
 * A vector of length 1 that is near those of texts with the same word stems: the sum of a fixed random
 * direction for each content word. A weak model of meaning, the same in every process.
 */
export function fakeVector(text: string, dimensions = DIMENSIONS): Float32Array {
  const terms = termsOf(text);
  const sum = new Float32Array(dimensions);
  // A text of nothing but stop words has a direction too: a vector of zeros is none.
  for (const term of terms.length > 0 ? terms : [text]) {
    const direction = directionOf(term, dimensions);
    for (const [place, value] of direction.entries()) {
      sum[place] = (sum[place] ?? 0) + value;
    }
  }
  return toUnit(sum);
}

/** The status and body that answer a request to /embeddings. */
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
      usage: { prompt_tokens: tokens, total_tokens: tokens },
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
