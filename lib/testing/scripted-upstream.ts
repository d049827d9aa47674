import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that reached the upstream. */
export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown> & { messages: { role: string; content: string }[] };
  /** Whether the caller went away before the answer was whole. */
  isAborted: boolean;
}

export interface ScriptedUpstream {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

const shared = globalThis as typeof globalThis & { footnoteUpstream?: ScriptedUpstream };

/** The upstream of this worker. */
export function upstream(): ScriptedUpstream {
  if (!shared.footnoteUpstream) {
    throw new Error("the scripted upstream was not started");
  }
  return shared.footnoteUpstream;
}

/**
 * An OpenAI-compatible server on loopback. What it does stands in the last user message after `script:`
 * as JSON, so that each test tells its own request what to do: {text, status, error, headers, delayMs,
 * pieceMs, tools, noUsage, breakAfter}. Without a script it answers "Hello from upstream.".
 */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, seen).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  shared.footnoteUpstream = {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return shared.footnoteUpstream;
}

interface Script {
  text?: string;
  status?: number;
  error?: Record<string, unknown>;
  headers?: Record<string, string>;
  delayMs?: number;
  pieceMs?: number;
  tools?: boolean;
  noUsage?: boolean;
  /** Sent in place of the usage, however wrong. */
  usage?: unknown;
  /** Sent in place of the choices, however wrong. */
  choices?: unknown;
  /** Fields of each delta beside its content, or in its place. */
  delta?: Record<string, unknown>;
  /** Resets the connection after this many pieces. */
  breakAfter?: number;
  /** Fails this many times before it answers; counted per `name`. */
  failures?: number;
  name?: string;
}

const failuresOf = new Map<string, number>();

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
  const entry: SeenRequest = {
    path: request.url ?? "",
    authorization: request.headers.authorization,
    body,
    isAborted: false,
  };
  seen.push(entry);
  response.on("close", () => {
    entry.isAborted = !response.writableFinished;
  });
  const script = scriptOf(body);
  await wait(script.delayMs ?? 0);
  const failed = failuresOf.get(script.name ?? "") ?? 0;
  if (script.failures !== undefined && failed < script.failures) {
    failuresOf.set(script.name ?? "", failed + 1);
    response
      .writeHead(500, { "content-type": "application/json" })
      .end('{"error":{"message":"boom"}}');
    return;
  }
  if (script.status) {
    response.writeHead(script.status, { "content-type": "application/json", ...script.headers });
    response.end(JSON.stringify({ error: script.error ?? { message: "scripted failure" } }));
    return;
  }
  await (body.stream ? streamAnswer(response, body, script) : wholeAnswer(response, body, script));
}

function scriptOf(body: SeenRequest["body"]): Script {
  const content = body.messages?.findLast(({ role }) => role === "user")?.content ?? "";
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const found = /script:(\{.*\})/s.exec(text)?.[1];
  const script: Script = found ? JSON.parse(found) : {};
  // A tool's result is answered with the text, so that a client's own tool loop ends.
  return { ...script, tools: script.tools && body.messages.at(-1)?.role !== "tool" };
}

const TOOL_CALLS = [
  {
    id: "call_1",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Bern"}' },
  },
];

function usageOf(text: string): Record<string, number> {
  const completion = text.split(/\s+/).length;
  return { prompt_tokens: 100, completion_tokens: completion, total_tokens: 100 + completion };
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
      ...(!script.noUsage && { usage: script.usage ?? usageOf(text) }),
      ...(script.choices !== undefined && { choices: script.choices }),
    }),
  );
}

async function streamAnswer(
  response: ServerResponse,
  body: SeenRequest["body"],
  script: Script,
): Promise<void> {
  const text = script.text ?? "Hello from upstream.";
  response.writeHead(200, { "content-type": "text/event-stream" });
  const frame = {
    id: "chatcmpl-upstream",
    object: "chat.completion.chunk",
    created: 1,
    model: body.model,
  };
  const send = (data: object) =>
    response.write(`data: ${JSON.stringify({ ...frame, ...data })}\n\n`);
  const piece = (delta: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });
  piece({ role: "assistant", content: "" });
  const deltas = script.tools
    ? [{ tool_calls: TOOL_CALLS.map((call, index) => ({ index, ...call })) }]
    : (text.match(/\S+\s*/g) ?? []).map((content) => ({ content }));
  for (const [index, delta] of deltas.entries()) {
    if (script.breakAfter === index) {
      response.destroy();
      return;
    }
    piece({ ...delta, ...script.delta });
    await wait(script.pieceMs ?? 0);
  }
  piece({}, script.tools ? "tool_calls" : "stop");
  const wantsUsage = (body.stream_options as { include_usage?: boolean } | undefined)
    ?.include_usage;
  if (wantsUsage && !script.noUsage) {
    send({ choices: [], usage: script.usage ?? usageOf(text) });
  }
  response.end("data: [DONE]\n\n");
}

function wait(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
