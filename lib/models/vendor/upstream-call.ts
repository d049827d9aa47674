import type { Attributes, Span } from "@opentelemetry/api";
import { countUpstreamAttempt } from "@/lib/http/log-context";
import { metrics, secondsSince } from "@/lib/metrics";
import { beginCallSpan, endSpan, traceHeaders } from "@/lib/tracing";

/** One of the few ways in which a call ends; a label, so never a text of the upstream's. */
export type CallOutcome =
  | "ok"
  | "rejected"
  | "rate_limited"
  | "failed"
  | "timeout"
  | "unreachable"
  | "broken"
  | "aborted";

interface CallFacts {
  operation: "chat" | "embeddings";
  /** The model as the upstream has it, and as metrics name it. */
  upstreamModel: string;
  model: string;
  url: URL;
}

/** One try at an upstream, as the request's log line, its trace and the metrics tell of it. */
export class UpstreamCall {
  readonly #startedAt = performance.now();
  readonly #span: Span | undefined;
  #status: number | undefined;

  constructor(private readonly facts: CallFacts) {
    countUpstreamAttempt();
    const { operation, upstreamModel, url } = facts;
    this.#span = beginCallSpan(`${operation} ${upstreamModel}`, {
      "gen_ai.operation.name": operation,
      "gen_ai.request.model": upstreamModel,
      "server.address": url.hostname,
    });
  }

  /** Headers that let the upstream go on with the trace; none while it is not recorded. */
  get headers(): Record<string, string> {
    return traceHeaders(this.#span);
  }

  /** The answer has begun. */
  began(status: number): void {
    this.#status = status;
    this.#span?.addEvent("first byte");
    metrics()?.upstreamFirstByte.record(secondsSince(this.#startedAt), this.#labels());
  }

  /** The answer has ended as `ended` says, which counts for one with a status of success alone. */
  ended(ended: CallOutcome): void {
    const outcome = ended === "ok" ? outcomeOfStatus(this.#status) : ended;
    metrics()?.upstream.record(secondsSince(this.#startedAt), { ...this.#labels(), outcome });
    if (this.#status !== undefined) {
      this.#span?.setAttribute("http.response.status_code", this.#status);
    }
    this.#span?.setAttribute("footnote.outcome", outcome);
    endSpan(this.#span, outcome === "ok" || outcome === "aborted" ? undefined : outcome);
  }

  #labels(): Attributes {
    const { operation, model } = this.facts;
    return { "gen_ai.operation.name": operation, "gen_ai.request.model": model };
  }
}

export function outcomeOfStatus(status = 200): CallOutcome {
  if (status === 429) {
    return "rate_limited";
  }
  if (status >= 500) {
    return "failed";
  }
  return status >= 300 ? "rejected" : "ok";
}
