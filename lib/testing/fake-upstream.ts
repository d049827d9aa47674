import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatMessage, textOf } from "@/lib/models/schema";
import { processSingleton } from "@/lib/singleton";
import {
  answerEmbeddings,
  delayOf,
  type EmbeddingRequest,
  type EmbeddingScript,
} from "./fake-embeddings";
import { answerRerank, type RerankRequest, type RerankScript } from "./fake-rerank";
import { deltasOf, sendChunks, TOOL_CALLS } from "./fake-upstream-chunks";
import { FAULTS } from "./fake-upstream-faults";
import { rewriterScriptOf } from "./fake-upstream-rewriter";
import { searcherScriptOf } from "./fake-upstream-searcher";
import { withStrictness } from "./fake-upstream-strict";
import { transcriberScriptOf } from "./fake-upstream-transcriber";
import { reportedUsage } from "./fake-upstream-usage";
import { verifierScriptOf } from "./fake-upstream-verifier";

/** A request the upstream received. */
export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  traceparent: string | undefined;
  body: Record<string, unknown> & {
    messages: { role: string; content: string }[];
  } & EmbeddingRequest &
    RerankRequest;
  /** Concurrent requests when this one arrived, including itself. */
  concurrency: number;
  /** Whether the client disconnected before the response was complete. */
  isAborted: boolean;
  /** Whether the response is in progress. */
  isOpen: boolean;
}

export interface FakeUpstream {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

const started = processSingleton("scripted upstream", (): { upstream?: FakeUpstream } => ({}));

/** This worker's upstream. */
export function upstream(): FakeUpstream {
  if (!started.upstream) {
    throw new Error("the scripted upstream was not started");
  }
  return started.upstream;
}

/**
 * An OpenAI-compatible server. Each request scripts its own response with JSON after `script:` in
 * the last user message: {text, status, error, headers, delayMs, pieceMs, tools, noUsage, breakAfter, recalls}. Without a
 * script, the response is "Hello from upstream.". For /embeddings, the script is in the model id:
 * `embed script:{"status":500}`, for /rerank in the query. Verification requests follow `scriptVerifier`, rewriting
 * requests `scriptRewriter`, images of pages `scriptTranscriber`.
 */
export async function startFakeUpstream(): Promise<FakeUpstream> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, seen).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  started.upstream = {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return started.upstream;
}

interface Failure {
  status?: number;
  headers?: Record<string, string>;
  /** What happens in the middle of the body instead of its end. */
  body?: "breaks" | "stalls";
}

interface Script extends EmbeddingScript, RerankScript {
  text?: string;
  status?: number;
  error?: Record<string, unknown>;
  /** Echoes the whole request in the error. */
  echoes?: boolean;
  headers?: Record<string, string>;
  pieceMs?: number;
  tools?: boolean;
  isStrict?: boolean;
  recalls?: boolean;
  noUsage?: boolean;
  /** Sent instead of the usage, valid or not. */
  usage?: unknown;
  /** Sent with each chunk of a stream, before its end. */
  earlyUsage?: object;
  /** Sent instead of the choices, valid or not. */
  choices?: unknown;
  /** Choices of the chunks of a stream, as they are. */
  chunks?: object[];
  /** Extra or overriding fields of each delta. */
  delta?: Record<string, unknown>;
  deltas?: Record<string, unknown>[];
  finish?: string;
  /** Resets the connection after this many chunks. */
  breakAfter?: number;
  /** Fails this many times with 500 or `failure` before succeeding; counted per `name`. */
  failures?: number;
  failure?: Failure | undefined;
  /** This many first requests of `name` ignore the rest of the script and succeed. */
  after?: number;
  name?: string;
  /** The fault to produce instead of a response. */
  fault?: keyof typeof FAULTS;
  /** Applies the rest of the script only to this upstream model; others succeed. */
  only?: string;
}

const requestsOf = new Map<string, number>();
let open = 0;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  seen: SeenRequest[],
): Promise<void> {
  let text = "";
  for await (const piece of request) {
    text += piece;
  }
  const body = JSON.parse(text || "{}");
  open += 1;
  const entry: SeenRequest = {
    path: request.url ?? "",
    authorization: request.headers.authorization,
    traceparent: request.headers.traceparent as string | undefined,
    body,
    concurrency: open,
    isAborted: false,
    isOpen: true,
  };
  seen.push(entry);
  response.on("close", () => {
    open -= 1;
    entry.isOpen = false;
    entry.isAborted = !response.writableFinished;
  });
  const script = nextScript(
    verifierScriptOf(body.messages) ??
      rewriterScriptOf(body.messages) ??
      searcherScriptOf(body.messages) ??
      transcriberScriptOf(body.messages) ??
      withStrictness(scriptOf(body), body),
  );
  await wait(delayOf(body, script));
  if (script.fault) {
    FAULTS[script.fault](response, body.stream === true);
    return;
  }
  if (script.failure || script.status) {
    fail(response, script.echoes ? { ...script, error: echoOf(text) } : script);
    return;
  }
  const found = answerSearch(entry.path, body, script);
  if (found) {
    response.writeHead(found.status, { "content-type": "application/json" });
    response.end(JSON.stringify(found.body));
    return;
  }
  await answererOf(body, script)(response, body, script);
}

function answererOf({ stream }: SeenRequest["body"], { chunks }: Script) {
  const streamed = chunks ? sendChunks : streamAnswer;
  return stream ? streamed : wholeAnswer;
}

/** Null for a chat completion. */
function answerSearch(path: string, body: SeenRequest["body"], script: Script) {
  if (path.endsWith("/rerank")) {
    return answerRerank(body, script);
  }
  return path.endsWith("/embeddings") ? answerEmbeddings(body, script) : null;
}

/** The request's script, depending on how many requests of its name came before. */
function nextScript({ after = 0, failures = 0, ...script }: Script): Script {
  const earlier = requestsOf.get(script.name ?? "") ?? 0;
  requestsOf.set(script.name ?? "", earlier + 1);
  if (earlier < after) {
    return {};
  }
  return earlier < after + failures
    ? { ...script, failure: script.failure ?? {} }
    : { ...script, failure: undefined };
}

function fail(response: ServerResponse, script: Script): void {
  const failure: Failure = script.failure ?? {
    status: script.status ?? 500,
    headers: script.headers ?? {},
  };
  const { status = 500, headers, body } = failure;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  const text = JSON.stringify({ error: script.error ?? { message: "scripted failure" } });
  if (!body) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, 9), () => body === "breaks" && response.destroy());
}

function echoOf(text: string): Record<string, unknown> {
  return { message: text, code: text, type: text, param: text, request: JSON.parse(text) };
}

function scriptOf(body: SeenRequest["body"]): Script {
  if (body.input !== undefined || body.query !== undefined) {
    const found = /script:(\{.*\})/s.exec(String(body.query ?? body.model))?.[1];
    return found ? JSON.parse(found) : {};
  }
  const asked = body.messages?.findLast(({ role }) => role === "user");
  const text = textOf((asked as ChatMessage | undefined)?.content);
  const found = /script:(\{.*\})/s.exec(text)?.[1];
  const script: Script = found ? JSON.parse(found) : {};
  if (script.only && script.only !== body.model) {
    return {};
  }
  // A tool result is answered with text, so that a client's tool loop ends.
  const { tools, deltas, ...rest } = script;
  return body.messages.at(-1)?.role === "tool" ? rest : script;
}

async function wholeAnswer(
  response: ServerResponse,
  body: SeenRequest["body"],
  script: Script,
): Promise<void> {
  const text = script.text ?? "Hello from upstream.";
  const message = script.tools
    ? { role: "assistant", content: null, tool_calls: TOOL_CALLS }
    : { role: "assistant", content: text, refusal: null };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      id: "chatcmpl-upstream",
      object: "chat.completion",
      created: 1,
      model: body.model,
      system_fingerprint: "fp_scripted",
      choices: [
        { index: 0, message, logprobs: null, finish_reason: script.tools ? "tool_calls" : "stop" },
      ],
      ...(!script.noUsage && { usage: script.usage ?? reportedUsage(text, body) }),
      ...(script.choices !== undefined && { choices: script.choices }),
    }),
  );
}

async function streamAnswer(
  response: ServerResponse,
  body: SeenRequest["body"],
  script: Script,
): Promise<void> {
  const { text = "Hello from upstream." } = script;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const object = "chat.completion.chunk";
  const frame = { id: "chatcmpl-upstream", object, created: 1, model: body.model };
  const send = (data: object) =>
    response.write(`data: ${JSON.stringify({ ...frame, ...data })}\n\n`);
  const piece = (delta: object, finish: string | null = null) =>
    send({
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      usage: script.earlyUsage ?? null,
    });
  piece({ role: "assistant", content: "" });
  for (const [index, delta] of deltasOf(script, text).entries()) {
    if (script.breakAfter === index) {
      response.destroy();
      return;
    }
    piece({ ...delta, ...script.delta });
    await wait(script.pieceMs ?? 0);
  }
  piece({}, script.finish ?? (script.tools ? "tool_calls" : "stop"));
  const { include_usage } = { ...(body.stream_options as { include_usage?: boolean }) };
  if (include_usage && !script.noUsage) {
    send({ choices: [], usage: script.usage ?? reportedUsage(text, body) });
  }
  response.end("data: [DONE]\n\n");
}

function wait(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
