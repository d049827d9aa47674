import { afterEach, describe, expect, it, vi } from "vitest";
import type { Piece } from "./answer";
import { ask } from "./ask";

const body = { model: "m", messages: [] };
const headers = { "x-request-id": "req_1" };

afterEach(() => vi.unstubAllGlobals());

/** Sends a request with this mocked response and returns the outcome. */
async function outcome(respond: (init: RequestInit) => Response | Promise<Response>) {
  const controller = new AbortController();
  const pieces: Piece[] = [];
  const opened: (string | null)[] = [];
  const sent: RequestInit[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    sent.push(init);
    return respond(init);
  });
  const failure = await ask({
    preset: "personal",
    body,
    signal: controller.signal,
    onOpen: (id) => opened.push(id),
    onPiece: (piece) => {
      pieces.push(piece);
      if (pieces.length === 3) {
        controller.abort();
      }
    },
  });
  return { failure, pieces, opened, sent };
}

/** Streams these texts in arbitrary chunks, as a network might. */
function events(...texts: string[]): Response {
  const bytes = new TextEncoder().encode(texts.join(""));
  const parts = [bytes.slice(0, 9), bytes.slice(9, 20), bytes.slice(20)];
  const stream = new ReadableStream({
    start(controller) {
      for (const part of parts) {
        controller.enqueue(part);
      }
      controller.close();
    },
  });
  return new Response(stream, { headers: { ...headers, "content-type": "text/event-stream" } });
}

const piece = (content: string) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`;
const error = { message: "No.", type: "server_error", param: null, code: "upstream_error" };

describe("a playground request", () => {
  it("reports the chunks of a stream and skips its comments", async () => {
    const { failure, pieces, opened, sent } = await outcome(() =>
      events(": keep-alive\n\n", piece("é 🫀"), piece("b"), "data: [DONE]\n\n"),
    );
    expect(failure).toBeNull();
    expect(pieces.map(({ choices }) => choices?.[0]?.delta?.content)).toEqual(["é 🫀", "b"]);
    expect(opened).toEqual(["req_1"]);
    expect(JSON.parse(String(sent[0]?.body))).toEqual({ ...body, preset: "personal" });
  });

  it("reports a plain answer", async () => {
    const { failure, pieces } = await outcome(() => Response.json({ choices: [] }, { headers }));
    expect([failure, pieces]).toEqual([null, [{ choices: [] }]]);
  });

  it("fails with the API's message", async () => {
    const refusal = { ...error, code: "insufficient_balance", balance: "0.1", required: "0.2" };
    const { failure } = await outcome(() =>
      Response.json(
        { error: refusal },
        { status: 402, headers: { ...headers, "retry-after": "7" } },
      ),
    );
    expect(failure).toEqual({
      status: 402,
      code: "insufficient_balance",
      message: "No.",
      param: null,
      requestId: "req_1",
      balance: "0.1",
      required: "0.2",
      retryAfter: "7",
    });
  });

  it("keeps the received chunks when a stream fails midway", async () => {
    const { failure, pieces } = await outcome(() =>
      events(piece("a"), `data: ${JSON.stringify({ error })}\n\n`),
    );
    expect(failure).toMatchObject({ code: "upstream_error", message: "No.", requestId: "req_1" });
    expect(pieces.length).toBe(1);
  });

  it("fails when a stream is cut off and when the server is unreachable", async () => {
    const cut = await outcome(() => events(piece("a")));
    expect(cut.failure).toMatchObject({ code: "connection_lost", requestId: "req_1" });
    const gone = await outcome(() => Promise.reject(new TypeError("failed to fetch")));
    expect(gone.failure).toMatchObject({ code: "connection_lost", requestId: null });
  });

  it("reports an invalid response", async () => {
    const page = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers });
    expect((await outcome(page)).failure).toMatchObject({ status: 502, code: "internal_error" });
    const broken = await outcome(() => events("data: {broken\n\n"));
    expect(broken.failure).toMatchObject({ code: "connection_lost" });
  });

  it("doesn't fail when the user stops it", async () => {
    const { failure, pieces } = await outcome(({ signal }) => {
      const stream = new ReadableStream({
        start(controller) {
          for (const text of ["a", "b", "c"]) {
            controller.enqueue(new TextEncoder().encode(piece(text)));
          }
          signal?.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    });
    expect([failure, pieces.length]).toEqual([null, 3]);
  });
});
