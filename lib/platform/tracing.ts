import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";

/** The instrumentation scope of all spans and metrics. */
export const SCOPE = "footnote";

export const DATABASE: Attributes = { "db.system.name": "postgresql" };

const tracing = processSingleton("tracing", () => ({ isOn: false }));

/** Off at first. The tracer comes from OpenTelemetry's global provider. */
export function switchTracing(isOn: boolean): void {
  tracing.isOn = isOn;
}

/** Only the parent: `tracestate` and `baggage` may contain any text. */
const TRACEPARENT: TextMapGetter<Headers> = {
  keys: () => ["traceparent"],
  get: (headers, name) => (name === "traceparent" ? (headers.get(name) ?? undefined) : undefined),
};

/** A child of the caller's `traceparent`; undefined while tracing is off. */
export function beginRequestSpan(request: Request): Span | undefined {
  if (!tracing.isOn) {
    return undefined;
  }
  const parent = propagation.extract(ROOT_CONTEXT, request.headers, TRACEPARENT);
  return begin(request.method, parent, { kind: SpanKind.SERVER });
}

/** For background work, such as a job. */
export function beginRootSpan(name: string, attributes: Attributes): Span | undefined {
  return tracing.isOn
    ? begin(name, ROOT_CONTEXT, { kind: SpanKind.CONSUMER, attributes })
    : undefined;
}

/** For a call to another service. Undefined outside a recorded request or job. */
export function beginCallSpan(name: string, attributes: Attributes): Span | undefined {
  return isRecorded()
    ? begin(name, context.active(), { kind: SpanKind.CLIENT, attributes })
    : undefined;
}

function begin(name: string, parent: Context, options: SpanOptions): Span {
  return trace.getTracer(SCOPE).startSpan(name, options, parent);
}

/** Spans started in `work` become children of `span`. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span ? context.with(trace.setSpan(ROOT_CONTEXT, span), work) : work();
}

/** Runs `work` in a child span, which is undefined when the trace isn't recorded. */
export async function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!isRecorded()) {
    return work(undefined);
  }
  const span = begin(name, context.active(), { kind: SpanKind.INTERNAL, attributes });
  try {
    const result = await within(span, () => work(span));
    span.end();
    return result;
  } catch (thrown) {
    endSpan(span, thrown);
    throw thrown;
  }
}

/** Records only a failure's name: a message may contain anything. */
export function endSpan(span: Span | undefined, failure?: unknown): void {
  if (failure !== undefined) {
    span?.setAttribute("error.type", errorType(failure));
    span?.setStatus({ code: SpanStatusCode.ERROR });
  }
  span?.end();
}

/** Trace propagation headers: random ids only. */
export function traceHeaders(span: Span | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (span?.isRecording()) {
    propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  }
  return headers;
}

function isRecorded(): boolean {
  return tracing.isOn && trace.getActiveSpan()?.isRecording() === true;
}

export function errorType(failure: unknown): string {
  if (failure instanceof AppError) {
    return failure.code;
  }
  return failure instanceof Error ? failure.name : typeof failure;
}
