import * as z from "zod";

const Embeddings = z.object({
  data: z.array(
    z.object({
      // Gemini leaves it out.
      index: z.int().nullish(),
      embedding: z.preprocess(numbersOf, z.array(z.number())),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.int().min(1).max(100_000_000) })
    .nullish()
    .catch(null),
});

export interface EmbeddingAnswer {
  vectors: number[][];
  /** As the upstream reports them; null if it doesn't. */
  tokens: number | null;
}

export class MalformedAnswer extends Error {}

/** The vectors of a response, in the order of the texts. Throws MalformedAnswer. */
export function readEmbeddings(answer: unknown, count: number): EmbeddingAnswer {
  const { data: body, error } = Embeddings.safeParse(answer);
  if (!body) {
    const [issue] = error.issues;
    const place = issue?.path.join(".") || "the body";
    throw new MalformedAnswer(`${place} is wrong: ${issue?.code}`);
  }
  if (body.data.length !== count) {
    throw new MalformedAnswer(`${body.data.length} vectors for ${count} texts`);
  }
  const sorted = body.data
    .map(({ index, embedding }, position) => ({ index: index ?? position, embedding }))
    .sort((a, b) => a.index - b.index);
  if (sorted.some(({ index }, position) => index !== position)) {
    throw new MalformedAnswer("the indexes do not name each text once");
  }
  return {
    vectors: sorted.map(({ embedding }) => embedding),
    tokens: body.usage?.prompt_tokens ?? null,
  };
}

/** Decodes little-endian float32 in base64; anything else stays unchanged. */
function numbersOf(embedding: unknown): unknown {
  if (typeof embedding !== "string") {
    return embedding;
  }
  const bytes = Buffer.from(embedding, "base64");
  return bytes.length % 4 === 0
    ? Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index))
    : embedding;
}
