import "server-only";

import { invalidRequest, notFound } from "@/lib/errors";
import { yieldIfLong } from "@/lib/event-loop";
import { costFields, costHeaders, microsToUsd } from "@/lib/money/billing/money";
import { embeddingCost, RATES } from "@/lib/money/billing/rates";
import { type Hold, placeHold, renewRegularly } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import { countTokensUsed } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { Download } from "@/lib/platform/http/download";
import { toAppError } from "@/lib/platform/http/error-response";
import { addLogField } from "@/lib/platform/http/log-context";
import { abortReason, CLIENT_DISCONNECTED } from "@/lib/platform/http/shutdown";
import { log } from "@/lib/platform/log";
import { countTokensOf } from "@/lib/text/tokens";
import { type ForwardingEmbedder, forwardingEmbedder } from "../embedding";
import type { EmbeddingsRequest } from "../embeddings-schema";
import { isFarBelow } from "../sent-call";
import { isUnbilled } from "../vendor/embeddings";

/** Of all texts together, as at OpenAI. */
const MAX_TOKENS = 300_000;
/** Of a response: 2,048 vectors of text-embedding-3-small, or 12 MB in memory. */
const MAX_NUMBERS = 2048 * 1536;
/** Other vocabularies than ours have at most a token for each byte, and a few for each text's ends. */
const TOKENS_AROUND_TEXT = 8;
/** How many rows of numbers become text at once. */
const ROWS_AT_ONCE = 8;

/** A text of the request and its tokens by our count. */
interface Input {
  text: string;
  tokens: number;
}

/** How far a request got. */
interface Progress {
  vectors: Float32Array[];
  /** Tokens of the batches that the model embedded or has, as it reports them or else counted. */
  tokens: number;
  /** That it may bill beside them: of a batch that failed, or reported beyond what is possible. */
  unbilled: number;
}

/** The lengths of vectors that models have returned, to refuse a response that would be too large. */
const known = new Map<string, number>();
/** Whether a model returns vectors of a length, asked with a text of ours before a caller's are bought. */
const supported = new Map<string, boolean>();
const PROBE = "dimensions";

/**
 * Embeds the caller's texts with the configured model, batch by batch. A failure is free; a client that leaves, or one of whose
 * texts the model refuses, pays for the batches that the model got. Throws not_found without a model, invalid_request, as `placeHold` does, or as the upstream.
 */
export async function createEmbeddings(
  ctx: KeyContext,
  request: EmbeddingsRequest,
): Promise<Download> {
  const startedAt = performance.now();
  const embedder = requireEmbedder(request);
  addLogField({ model: embedder.model });
  const inputs = await countInputs(request.input, embedder);
  const hold = await placeHold(ctx, embeddingCost(boundTokens(request.input)));
  const stopRenewal = renewRegularly(hold.id);
  const progress: Progress = { vectors: [], tokens: 0, unbilled: 0 };
  const usage = (status: number, code?: string): Usage => ({
    endpoint: "/v1/embeddings",
    model: embedder.model,
    kind: "embedding",
    promptTokens: progress.tokens,
    completionTokens: 0,
    passages: null,
    rate: { embedding_usd_per_million_tokens: RATES.embeddingUsdPerMillionTokens },
    status,
    warningCodes: [],
    latencyMs: Math.round(performance.now() - startedAt),
    firstTokenMs: null,
    unbilledMicros: String(embeddingCost(progress.unbilled)),
    ...(code && { details: { error_code: code } }),
  });
  try {
    await embedAll(inputs, { ctx, embedder, request, progress });
    const costMicros = embeddingCost(progress.tokens);
    const costUsd = microsToUsd(await settle({ ...hold, costMicros }, usage(200)));
    await countTokensUsed(ctx, progress.tokens);
    return toDownload(request, progress, costUsd);
  } catch (thrown) {
    await settleFailed(ctx, { hold, thrown, progress, usage });
    throw thrown;
  } finally {
    stopRenewal();
  }
}

function requireEmbedder({ model }: EmbeddingsRequest): ForwardingEmbedder {
  const embedder = forwardingEmbedder();
  if (!embedder) {
    throw notFound(
      "This server has no embedding model. Ask its operator to set EMBEDDING_MODEL; searches and citations work without it.",
    );
  }
  if (model !== embedder.model) {
    throw invalidRequest(
      `The model '${model}' isn't this server's embedding model. Use '${embedder.model}'.`,
      "model",
    );
  }
  return embedder;
}

/** Throws invalid_request when one text, or all together, have too many tokens. */
async function countInputs(
  texts: readonly string[],
  { maxTokens, model }: ForwardingEmbedder,
): Promise<Input[]> {
  const inputs: Input[] = [];
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const tokens = await countTokensOf([text], maxTokens);
    if (tokens > maxTokens) {
      throw invalidRequest(
        `Text ${index + 1} has more than the ${maxTokens.toLocaleString("en-US")} tokens that ${model} takes. Shorten or split it.`,
        `input.${index}`,
      );
    }
    total += tokens;
    if (total > MAX_TOKENS) {
      throw invalidRequest(
        `The texts have more than ${MAX_TOKENS.toLocaleString("en-US")} tokens together. Send fewer at a time.`,
        "input",
      );
    }
    inputs.push({ text, tokens });
  }
  return inputs;
}

/** The most that a model can report for the texts. */
function boundTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + TOKENS_AROUND_TEXT, 0);
}

interface Work {
  ctx: KeyContext;
  embedder: ForwardingEmbedder;
  request: EmbeddingsRequest;
  progress: Progress;
}

/** One batch at a time, so that a long request doesn't keep others waiting. */
async function embedAll(inputs: readonly Input[], work: Work): Promise<void> {
  const { embedder, request } = work;
  checkSize(request.dimensions ?? known.get(embedder.model) ?? 0, inputs.length);
  await requireDimensions(work);
  for (let start = 0; start < inputs.length; start += embedder.batchSize) {
    const batch = inputs.slice(start, start + embedder.batchSize);
    await embedder.limit(() => embedBatch(batch, work));
  }
}

async function requireDimensions(work: Work): Promise<void> {
  const { ctx, embedder, request, progress } = work;
  const { dimensions } = request;
  const name = `${embedder.model} ${dimensions}`;
  if (dimensions === undefined || supported.get(name)) {
    return;
  }
  const { signal } = ctx;
  const probe = () => embedder.embed([PROBE], { signal, dimensions });
  const { vectors, tokens } = await embedder.limit(probe);
  progress.unbilled += tokens ?? 1;
  requireLength(vectors, work);
  supported.set(name, true);
}

async function embedBatch(batch: readonly Input[], work: Work): Promise<void> {
  const { ctx, embedder, request, progress } = work;
  const { signal } = ctx;
  const { dimensions } = request;
  signal.throwIfAborted();
  const counted = batch.reduce((sum, { tokens }) => sum + tokens, 0);
  const texts = batch.map(({ text }) => text);
  progress.tokens += counted;
  const { vectors, tokens } = await embedder
    .embed(texts, { signal, dimensions })
    .catch((thrown: unknown) => {
      if (!signal.aborted) {
        progress.tokens -= counted;
        progress.unbilled += isUnbilled(thrown) ? 0 : counted;
      }
      throw thrown;
    });
  const most = boundTokens(texts);
  const reported = tokens === null || isFarBelow(tokens, counted) ? counted : tokens;
  progress.tokens += Math.min(reported, most) - counted;
  progress.unbilled += Math.max(0, reported - most);
  requireLength(vectors, work);
  if (dimensions === undefined) {
    known.set(embedder.model, vectors[0]?.length ?? 0);
  }
  progress.vectors.push(...vectors.map((vector) => Float32Array.from(vector)));
}

function requireLength(vectors: readonly number[][], { embedder, request }: Work): void {
  const { dimensions } = request;
  const length = vectors[0]?.length ?? 0;
  if (vectors.some((vector) => vector.length !== (dimensions ?? length))) {
    throw invalidRequest(
      `${embedder.model} returns vectors of ${length} numbers, and can't shorten them to ${dimensions}. Leave 'dimensions' out.`,
      "dimensions",
    );
  }
}

function checkSize(dimensions: number, count: number): void {
  if (dimensions * count > MAX_NUMBERS) {
    throw invalidRequest(
      `${count.toLocaleString("en-US")} vectors of ${dimensions.toLocaleString("en-US")} numbers are too many for one response. Send at most ${Math.floor(MAX_NUMBERS / dimensions).toLocaleString("en-US")} texts at a time.`,
      "input",
    );
  }
}

/** The numbers of a long list become text as the client reads them: all at once would block the process. */
function toDownload(
  { model, encoding_format }: EmbeddingsRequest,
  { vectors, tokens }: Progress,
  costUsd: string,
): Download {
  const usage = { prompt_tokens: tokens, total_tokens: tokens, ...costFields(costUsd) };
  const tail = JSON.stringify({ model, usage }).slice(1);
  async function* chunks(): AsyncGenerator<string> {
    yield '{"object":"list","data":[';
    for (let start = 0; start < vectors.length; start += ROWS_AT_ONCE) {
      const rows = vectors.slice(start, start + ROWS_AT_ONCE).map((vector, at) =>
        JSON.stringify({
          object: "embedding",
          index: start + at,
          embedding:
            encoding_format === "base64"
              ? Buffer.from(vector.buffer).toString("base64")
              : [...vector],
        }),
      );
      yield (start > 0 ? "," : "") + rows.join(",");
      await yieldIfLong();
    }
    yield `],${tail}`;
  }
  return new Download(chunks(), {
    mediaType: "application/json",
    headers: costHeaders(costUsd),
  });
}

interface Failed {
  hold: Hold;
  thrown: unknown;
  progress: Progress;
  usage: (status: number, code?: string) => Usage;
}

async function settleFailed(ctx: KeyContext, failed: Failed): Promise<void> {
  const { hold, thrown, progress, usage } = failed;
  const { signal } = ctx;
  const wasLeft = signal.aborted && !abortReason(signal);
  const { status, code } = wasLeft ? CLIENT_DISCONNECTED : toAppError(thrown);
  // Its own text was refused after others were embedded.
  const isCharged = wasLeft || status === 400;
  const costMicros = isCharged ? embeddingCost(progress.tokens) : 0n;
  progress.unbilled += isCharged ? 0 : progress.tokens;
  await settle({ ...hold, costMicros }, usage(status, code)).catch((cause: unknown) =>
    log.error({ err: cause, request_id: hold.id }, "could not release the hold of embeddings"),
  );
  await countTokensUsed(ctx, progress.tokens);
}
