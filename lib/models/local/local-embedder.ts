import { AppError } from "@/lib/errors";
import { isTimeout, outcomeOfFailure } from "../vendor/exchange";
import { UpstreamCall } from "../vendor/upstream-call";
import type { LocalModel } from "./local-models";
import { findModelHost, type ModelHost } from "./model-host";

interface Settings {
  local: LocalModel;
  model: string;
  timeoutMs: number;
}

/** As `createUpstreamEmbedder`, with a model on this machine. */
export function createLocalEmbedder(settings: Settings) {
  const ask = createAsk(settings);
  return async (
    texts: readonly string[],
    options: { signal: AbortSignal; isUrgent: boolean },
  ): Promise<number[][]> => (await ask(texts, options)).vectors;
}

/** As `createForwardingEmbedder`. */
export function createLocalForwarding(settings: Settings) {
  const ask = createAsk(settings);
  return async (texts: readonly string[], { signal }: { signal: AbortSignal }) => {
    try {
      return await ask(texts, { signal, isUrgent: texts.length === 1 });
    } catch (cause) {
      signal.throwIfAborted();
      throw isTimeout(cause)
        ? new AppError("upstream_timeout", "The embedding model is busy. Send fewer texts.", {
            cause,
          })
        : new AppError("upstream_error", "The embedding model doesn't work at the moment.", {
            cause,
          });
    }
  };
}

class LateError extends Error {
  override name = "TimeoutError";

  constructor({ model, timeoutMs }: Settings) {
    super(
      `the embedding model ${model} did not answer within ${timeoutMs} ms (EMBEDDING_TIMEOUT_MS)`,
    );
  }
}

function createAsk(settings: Settings) {
  const { local, model, timeoutMs } = settings;
  let host: ModelHost | undefined;
  return async (
    texts: readonly string[],
    { signal, isUrgent }: { signal: AbortSignal; isUrgent: boolean },
  ) => {
    const url = new URL("http://localhost");
    const call = new UpstreamCall({ operation: "embeddings", upstreamModel: model, model, url });
    const late = AbortSignal.timeout(timeoutMs);
    const stop = new AbortController();
    const options = { signal: AbortSignal.any([signal, late, stop.signal]), isUrgent };
    try {
      host ??= findModelHost(local);
      const { embed } = host;
      const replies = await Promise.all(texts.map((text) => embed(text, options)));
      call.ended("ok");
      return {
        vectors: replies.map(({ vector = [] }) => vector),
        tokens: replies.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
      };
    } catch (cause) {
      call.ended(signal.aborted ? "aborted" : outcomeOfFailure(cause));
      throw late.aborted && !signal.aborted ? new LateError(settings) : cause;
    } finally {
      // If one text fails, the others aren't needed.
      stop.abort();
    }
  };
}
