import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { readCatalogue } from "../catalogue";
import { createUpstreamModel } from "./chat";

const SECRET = "sk-secret";
const servers: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A server that answers everything with this. */
function answering(status: number, body: unknown): Promise<string> {
  return listen((_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

function modelAt(baseUrl: string, entry: object = {}) {
  const upstream = { base_url: baseUrl, api_key: SECRET };
  const [model] = readCatalogue(
    JSON.stringify([{ id: "ours", upstream_model: "qwen3", upstream, retries: 0, ...entry }]),
  );
  if (!model?.upstream) {
    throw new Error("no upstream");
  }
  return createUpstreamModel(model, model.upstream);
}

const QUESTION = { model: "ours", messages: [{ role: "user" as const, content: "Hello?" }] };

async function failureAt(baseUrl: string): Promise<AppError> {
  const { signal } = new AbortController();
  const thrown = await modelAt(baseUrl)
    .complete(QUESTION, signal)
    .catch((cause: unknown) => cause);
  if (!(thrown instanceof AppError)) {
    throw new Error("answered");
  }
  return thrown;
}

type Case = [what: string, at: () => Promise<string>, hint: RegExp, isFinal: boolean];

const CASES: Case[] = [
  ["down", async () => "http://127.0.0.1:1/v1", /nothing answers at .*ECONNREFUSED/, false],
  [
    "an unknown host",
    async () => "http://nowhere.invalid/v1",
    /no host has the name in http:\/\/nowhere.invalid\/v1/,
    true,
  ],
  ["a wrong path", () => answering(404, "404 page not found"), /usually ends in \/v1/, true],
  [
    "a wrong path of LM Studio",
    () => answering(200, { error: "Unexpected endpoint or method. (POST /chat/completions)" }),
    /usually ends in \/v1/,
    true,
  ],
  ["a wrong path of vLLM", () => answering(404, { detail: "Not Found" }), /no such endpoint/, true],
  [
    "a model that Ollama hasn't pulled",
    () => answering(404, { error: { message: 'model "qwen3" not found, try pulling it first' } }),
    /has no model 'qwen3'.*pull/,
    true,
  ],
  [
    "a model that vLLM doesn't serve",
    () =>
      answering(404, { object: "error", message: "The model `qwen3` does not exist.", code: 404 }),
    /has no model 'qwen3'/,
    true,
  ],
  [
    "a model that a proxy doesn't list",
    () => answering(400, { error: { message: "Invalid model name passed in model=qwen3" } }),
    /has no model 'qwen3'/,
    true,
  ],
  [
    "a wrong key",
    () => answering(401, { error: { message: `Invalid API Key ${SECRET}` } }),
    /rejected the key \(401\)/,
    true,
  ],
  ["a failure", () => answering(500, { error: { message: SECRET } }), /failed .*\(500\)/, false],
];

describe("an upstream's fault", () => {
  it.each(CASES)(
    "is named to the operator, and the caller isn't misled: %s",
    async (...[, at, hint, isFinal]) => {
      const baseUrl = await at();
      const error = await failureAt(baseUrl);
      expect(error).toMatchObject({ status: 502, code: "upstream_error" });
      expect(error.hint).toMatch(hint);
      expect(error.hint).toContain(new URL(baseUrl).host);
      expect(error.hint).not.toContain(SECRET);
      expect(error.message).not.toMatch(/127\.0\.0\.1|invalid|qwen3|sk-/);
      expect(error.headers["x-should-retry"]).toBe(isFinal ? "false" : undefined);
      expect(/try again/i.test(error.message)).toBe(!isFinal);
    },
  );

  it("shows no credentials of an address", async () => {
    const error = await failureAt("http://user:pass@127.0.0.1:1/v1?key=sk-1");
    expect(error.hint).toContain("http://127.0.0.1:1/v1 ");
  });

  it.each(["localhost:11434/v1", "ftp://localhost/v1"])("is found at the start in %s", (url) => {
    expect(() => modelAt(url)).toThrow("Write the whole address, such as http://");
  });
});

const CONTEXTS: [server: string, status: number, body: object, tokens: string | null][] = [
  [
    "OpenAI",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        code: "context_length_exceeded",
        param: "messages",
      },
    },
    "8192",
  ],
  [
    "OpenAI's Responses API",
    400,
    {
      error: {
        message: "Your input exceeds the context window of this model.",
        code: "context_length_exceeded",
      },
    },
    null,
  ],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "request (15035 tokens) exceeds the available context size (8192 tokens)",
        type: "exceed_context_size_error",
        n_prompt_tokens: 15035,
        n_ctx: 8192,
      },
    },
    "8192",
  ],
  [
    "llama.cpp before it gave numbers",
    500,
    { error: { message: "the request exceeds the available context size" } },
    null,
  ],
  [
    "vLLM",
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 2048 tokens. However, you requested 2100 tokens.",
      type: "BadRequestError",
      code: 400,
    },
    "2048",
  ],
  [
    "vLLM with a long prompt",
    400,
    {
      error: {
        message:
          "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
      },
    },
    "8192",
  ],
  ["Ollama", 400, { error: { message: "the input length exceeds the context length" } }, null],
  [
    "Ollama, which says by how much",
    400,
    { error: { message: "prompt too long; exceeded max context length by 200 tokens" } },
    null,
  ],
  [
    "LM Studio",
    400,
    {
      error:
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
    "4096",
  ],
  [
    "Anthropic",
    400,
    { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } },
    "200000",
  ],
];

describe("a prompt that is longer than the context", () => {
  it.each(CONTEXTS)("is context_length_exceeded, from %s", async (_, status, body, tokens) => {
    const error = await failureAt(await answering(status, body));
    expect(error).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      param: "messages",
    });
    expect(error.message).toMatch(
      tokens
        ? new RegExp(`^This model's maximum context length is ${tokens} tokens\\.`)
        : /^This model's maximum context length is less than/,
    );
    expect(error.hint).toContain("context_length");
  });

  it("isn't taken for another wrong field, a rate or a key", async () => {
    const unknown = { error: { message: "unknown field 'context_length'" } };
    expect((await failureAt(await answering(400, unknown))).code).toBe("invalid_request");
    const rate = { error: { message: "maximum context length tokens per minute reached" } };
    expect((await failureAt(await answering(429, rate))).code).toBe("rate_limit_exceeded");
  });
});

describe("a model that is still loading", () => {
  const LOADING = { error: { code: 503, message: "Loading model", type: "unavailable_error" } };
  const ANSWER = {
    id: "x",
    choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  };

  it("is waited for", async () => {
    let asked = 0;
    const baseUrl = await listen((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(asked < 3 ? LOADING : ANSWER));
    });
    const { signal } = new AbortController();
    const { choices } = await modelAt(baseUrl).complete(QUESTION, signal);
    expect([choices[0]?.message.content, asked]).toEqual(["Hi.", 3]);
  });

  it("is reported as such in the end, and opens no circuit", async () => {
    const model = modelAt(await answering(503, LOADING), { timeout_ms: 100 });
    for (let asked = 0; asked < 7; asked += 1) {
      await expect(model.complete(QUESTION, new AbortController().signal)).rejects.toMatchObject({
        code: "upstream_error",
        message: "The model is still being loaded. Try again in a minute.",
        hint: expect.stringContaining("is still loading 'qwen3'"),
      });
    }
  });

  it("isn't waited for by a caller who leaves", async () => {
    const leave = new AbortController();
    const baseUrl = await listen((_, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify(LOADING), () => leave.abort());
    });
    await expect(modelAt(baseUrl).complete(QUESTION, leave.signal)).rejects.toMatchObject({
      message: "The request was canceled before the model answered.",
    });
  });
});
