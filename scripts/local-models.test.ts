import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readCatalogue } from "@/lib/models/catalogue";
import { discoverModels } from "./local-models.mjs";

const servers: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serving(data: object[], status = 200): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/v1/models" ? status : 404);
    response.end(JSON.stringify({ object: "list", data }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** The address of a server that has stopped. */
async function down(): Promise<string> {
  const url = await serving([]);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return url;
}

const DEMO = { isDemo: true };
const SERVED = [
  { id: "text-embedding-nomic" },
  { id: "qwen3:8b", meta: { n_ctx: 8192 } },
  { id: "llama-3", max_model_len: 4096 },
];

describe("npm start without a model", () => {
  it("says how to use a server that it finds on loopback, and changes nothing", async () => {
    const url = await serving(SERVED);
    const usual = [
      ["Ollama", url],
      ["vLLM", await down()],
    ];
    expect(await discoverModels({}, { ...DEMO, usual })).toEqual({
      lines: [`Ollama runs here. To use qwen3:8b: OPENAI_BASE_URL=${url} npm start`],
    });
  });

  it.each([
    ["without the demo", {}, { isDemo: false }],
    ["with models", { MODELS: "gpt-5-mini" }, DEMO],
    ["with a key", { OPENAI_API_KEY: "sk-1" }, DEMO],
  ])("looks nowhere %s", async (_, env, options) => {
    const usual = [["Ollama", await serving(SERVED)]];
    expect(await discoverModels(env, { ...options, usual })).toEqual({ lines: [] });
  });
});

describe("npm start with OPENAI_BASE_URL", () => {
  it("takes the chat models that the server lists, with their contexts, free on loopback", async () => {
    const url = await serving(SERVED);
    const { lines, MODELS } = await discoverModels({ OPENAI_BASE_URL: url }, DEMO);
    expect(lines).toEqual([`Models of ${url}: qwen3:8b, llama-3`]);
    const [first, second] = readCatalogue(MODELS);
    expect([first, second]).toMatchObject([
      {
        ...{ id: "qwen3:8b", isDefault: true, contextLength: 8192, maxOutputTokens: 4096 },
        rates: { core: { input: 0, output: 0 }, grounded: { input: 0, output: 0 } },
      },
      { id: "llama-3", contextLength: 4096 },
    ]);
    const priced = { OPENAI_BASE_URL: url, RATES_FILE: "rates.json" };
    expect((await discoverModels(priced, DEMO)).MODELS).not.toContain("rates");
  });

  it("names models that the server doesn't have, and keeps the order", async () => {
    const url = await serving(SERVED);
    const { lines, MODELS } = await discoverModels(
      { OPENAI_BASE_URL: url, MODELS: "llama-3, qwen4" },
      DEMO,
    );
    expect(lines).toEqual([expect.stringContaining("doesn't list 'qwen4'. It has: ")]);
    expect(readCatalogue(MODELS).map(({ id }) => id)).toEqual([
      "llama-3",
      "qwen4",
      "footnote-extract-1",
    ]);
  });

  it("changes no models without the demo, where processes must agree", async () => {
    const url = await serving(SERVED);
    const options = { isDemo: false };
    expect(await discoverModels({ OPENAI_BASE_URL: url }, options)).toEqual({ lines: [] });
    const wrong = { OPENAI_BASE_URL: url, MODELS: "qwen4" };
    expect(await discoverModels(wrong, options)).toEqual({
      lines: [expect.stringContaining("doesn't list 'qwen4'")],
    });
  });

  it("leaves models in JSON alone", async () => {
    const env = { OPENAI_BASE_URL: await down(), MODELS: '[{"id": "m"}]' };
    expect(await discoverModels(env, DEMO)).toEqual({ lines: [] });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ["is down", down, /can't be reached \(ECONNREFUSED\)/],
    ["is loading", () => serving([], 503), /still loading/],
    ["lists no chat model", () => serving([{ id: "bge-m3" }]), /no chat model/],
    [
      "lists a marketplace",
      () => serving(Array.from({ length: 300 }, (_, at) => ({ id: `m${at}` }))),
      /300 models\. Name those/,
    ],
  ])("says so if the server %s, and starts all the same", async (_, at, line) => {
    const found = await discoverModels({ OPENAI_BASE_URL: await at() }, DEMO);
    expect(found).toEqual({ lines: [expect.stringMatching(line)] });
  });

  it("shows no credentials", async () => {
    const { lines } = await discoverModels(
      { OPENAI_BASE_URL: "http://me:pw@127.0.0.1:1/v1" },
      DEMO,
    );
    expect(lines.join()).not.toMatch(/pw/);
  });
});
