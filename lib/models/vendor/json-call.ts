import { circuitBreakerFor } from "./breaker";
import { outcomeOfFailure, postUpstream } from "./exchange";
import { outcomeOfStatus, UpstreamCall } from "./upstream-call";

/** A server that does one task with JSON, such as Hugging Face's text-embeddings-inference. */
export interface JsonUpstream {
  /** The whole address, such as http://localhost:8080/rerank. */
  url: string;
  apiKey: string | undefined;
}

interface JsonTask<Answer> {
  operation: "rerank" | "classify";
  /** In metrics and for the circuit breaker. */
  name: string;
  body: object;
  /** Throws MalformedAnswer. */
  read: (answer: unknown) => Answer;
}

/** Far more than an answer needs, even if an upstream repeats the texts. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_IDLE_MS = 60_000;

/** Throws the signal's reason, or an error whose message is safe to log: no text, no key. */
export function callForJson<Answer>(
  { url, apiKey }: JsonUpstream,
  { operation, name, body, read }: JsonTask<Answer>,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Answer> {
  // Being late counts as a failure of the upstream; a caller who leaves doesn't.
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const call = async () => {
    const address = new URL(url);
    const observer = new UpstreamCall({
      operation,
      upstreamModel: name,
      model: name,
      url: address,
    });
    try {
      const answer = await postUpstream({
        url: address,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "user-agent": "footnote",
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          ...observer.headers,
        },
        body: JSON.stringify(body),
        signal: bounded,
        // Never reached: the signal bounds the whole call.
        idleTimeoutMs: MAX_IDLE_MS,
      });
      const text = await answer.text(MAX_ANSWER_BYTES);
      if (answer.status < 200 || answer.status > 299) {
        throw new RejectedError(operation, answer.status);
      }
      const result = read(parsed(text));
      observer.ended("ok");
      return result;
    } catch (error) {
      const isRejected = error instanceof RejectedError;
      const outcome = isRejected ? outcomeOfStatus(error.status) : outcomeOfFailure(error);
      observer.ended(signal.aborted ? "aborted" : outcome);
      throw error;
    }
  };
  return circuitBreakerFor(url, name).run({
    call,
    signal,
    isFailure: (cause) => !(cause instanceof RejectedError) || cause.status >= 500,
  });
}

/** Without the upstream's message, which may repeat the texts. */
class RejectedError extends Error {
  constructor(
    operation: string,
    readonly status: number,
  ) {
    super(`the ${operation} server returned status ${status}`);
  }
}

export class MalformedAnswer extends Error {}

/** JSON.parse quotes the text in its errors. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedAnswer("the server returned no JSON");
  }
}
