import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import { processSingleton } from "@/lib/singleton";
import { AppError } from "./errors";

/** The scope of all spans and metrics of the product. */
export const SCOPE = "footnote";

/** What statements of the hot path say of themselves. */
export const DATABASE: Attributes = { "db.system.name": "postgresql" };

const tracing = processSingleton("tracing", () => ({ isOn: false }));

/** Until it is called, nothing here does anything. The tracer is the process's: of the API's global provider. */
export function startTracing(): void {
  tracing.isOn = true;
}

export function stopTracing(): void {
  tracing.isOn = false;
}

/** Only who called before: `tracestate` and `baggage` may hold any text. */
const TRACEPARENT: TextMapGetter<Headers> = {
  keys: () => ["traceparent"],
  get: (headers, name) => (name === "traceparent" ? (headers.get(name) ?? undefined) : undefined),
};

/** The span of a request, below its caller's `traceparent`; undefined while no traces are made. */
export function beginRequestSpan(request: Request): Span | undefined {
  return tracing.isOn
    ? begin(request.method, {
        kind: SpanKind.SERVER,
        parent: propagation.extract(ROOT_CONTEXT, request.headers, TRACEPARENT),
      })
    : undefined;
}

/** The span of work that nobody asks for and waits for, such as a job. */
export function beginRootSpan(name: string, attributes: Attributes): Span | undefined {
  return tracing.isOn
    ? begin(name, { kind: SpanKind.CONSUMER, parent: ROOT_CONTEXT, attributes })
    : undefined;
}

/** The span of a call to another program. Undefined outside a recorded request or job. */
export function beginCallSpan(name: string, attributes: Attributes): Span | undefined {
  return isRecorded()
    ? begin(name, { kind: SpanKind.CLIENT, parent: context.active(), attributes })
    : undefined;
}

interface Beginning {
  kind: SpanKind;
  parent: Context;
  attributes?: Attributes;
}

function begin(name: string, { kind, parent, attributes = {} }: Beginning): Span {
  return trace.getTracer(SCOPE).startSpan(name, { kind, attributes }, parent);
}

/** Runs `work` so that what it begins stands below the span. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return span ? context.with(trace.setSpan(ROOT_CONTEXT, span), work) : work();
}

/** A part of a request or a job: runs `work` in a span of its own, which is undefined when it is not recorded. */
export async function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!isRecorded()) {
    return work(undefined);
  }
  const span = begin(name, { kind: SpanKind.INTERNAL, parent: context.active(), attributes });
  try {
    const result = await within(span, () => work(span));
    span.end();
    return result;
  } catch (thrown) {
    endSpan(span, thrown);
    throw thrown;
  }
}

/** Ends a span; with what failed, if anything did, by its name alone: a message may hold anything. */
export function endSpan(span: Span | undefined, failure?: unknown): void {
  if (failure !== undefined) {
    span?.setAttribute("error.type", errorType(failure));
    span?.setStatus({ code: SpanStatusCode.ERROR });
  }
  span?.end();
}

/** The headers that let the program called go on with the trace: random numbers, and nothing besides. */
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
