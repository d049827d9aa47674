import type { Attributes, Span } from "@opentelemetry/api";
import { countUpstreamAttempt } from "@/lib/platform/http/log-context";
import { metrics, secondsSince } from "@/lib/platform/metrics";
import { beginCallSpan, endSpan, traceHeaders } from "@/lib/platform/tracing";

/** A metric label: few values, and never the upstream's own text. */
export type CallOutcome =
  | "ok"
  | "rejected"
  | "rate_limited"
  | "failed"
  | "timeout"
  | "unreachable"
  | "broken"
  | "aborted";

/** Records one upstream attempt in the request's log line, trace and metrics. */
export class UpstreamCall {
  readonly #startedAt = performance.now();
  readonly #span: Span | undefined;
  #status: number | undefined;

  /** `upstreamModel` is the model's id at the upstream, `model` the one in our metrics. */
  constructor(
    private readonly facts: {
      operation: "chat" | "embeddings" | "rerank" | "classify";
      upstreamModel: string;
      model: string;
      url: URL;
    },
  ) {
    countUpstreamAttempt();
    const { operation, upstreamModel, url } = facts;
    this.#span = beginCallSpan(`${operation} ${upstreamModel}`, {
      "gen_ai.operation.name": operation,
      "gen_ai.request.model": upstreamModel,
      "server.address": url.hostname,
    });
  }

  /** Trace propagation headers; none unless the trace is recorded. */
  get headers(): Record<string, string> {
    return traceHeaders(this.#span);
  }

  began(status: number): void {
    this.#status = status;
    this.#span?.addEvent("first byte");
    metrics()?.upstreamFirstByte.record(secondsSince(this.#startedAt), this.#labels());
  }

  /** An `ok` end still counts as failed if the status is an error. */
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
