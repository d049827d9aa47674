import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible, type MetadataExtractor } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  Output,
  RetryError,
  streamText,
  tool,
} from "ai";
import { beforeAll, describe, expect, it } from "vitest";
import { type Column, recordCell, type Support } from "./cells";
import {
  abortable,
  apiKey,
  baseURL,
  collect,
  countPaidTokens,
  expectBilledHangUp,
  expectDropped,
  expectFiltered,
  readSome,
  readWire,
  type Wire,
  type WireCompletion,
  watchFetch,
} from "./product";
import {
  ANSWERS_JSON,
  BREAKS_OFF,
  BUSY,
  CALLS_TOOL,
  CITATIONS,
  CITY_SCHEMA,
  COSTLY_MODEL,
  EXTRACT_MODEL,
  GREETING,
  OF_TITLE,
  QUESTION,
  SCRIPTED_MODEL,
  SLOW,
  SLOW_TOKENS,
  TOO_LONG_QUESTION,
} from "./scenario";

interface Connection {
  key?: string;
  /** Sent as the request's `citations`. */
  citations?: object;
  fetch?: typeof fetch;
}

interface Provider {
  name: "@ai-sdk/openai" | "@ai-sdk/openai-compatible";
  connect(model: string, connection?: Connection): LanguageModel;
}

const PROVIDERS: Provider[] = [
  {
    name: "@ai-sdk/openai",
    // The client drops unknown fields, so a custom fetch adds ours.
    connect: (model, { key = apiKey, citations, fetch: call = fetch } = {}) =>
      createOpenAI({
        baseURL,
        apiKey: key,
        fetch: (url, init) =>
          call(url, { ...init, body: JSON.stringify({ ...bodyOf(init), citations }) }),
      }).chat(model),
  },
  {
    name: "@ai-sdk/openai-compatible",
    connect: (model, { key = apiKey, citations, fetch: call = fetch } = {}) =>
      createOpenAICompatible({
        name: "footnote",
        baseURL,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: true,
        fetch: call,
        transformRequestBody: (body) => ({ ...body, citations }),
      }).chatModel(model),
  },
];

let wire: Wire;

beforeAll(async () => {
  wire = await readWire();
});

describe.each(PROVIDERS)("$name", ({ name, connect }) => {
  const isCompatible = name === "@ai-sdk/openai-compatible";
  const note = (column: Column, support: Support, where: string) =>
    recordCell(name, column, support, where);
  const scripted = connect(SCRIPTED_MODEL);
  const cited = connect(EXTRACT_MODEL, { citations: CITATIONS });

  it("returns the answer's text", async () => {
    const { text, finishReason } = await generateText({ model: scripted, prompt: GREETING });
    expect(text).toBe(GREETING);
    expect(finishReason).toBe("stop");
    note("answer text", "yes", "`result.text` of `generateText`");
  });

  it("returns the streamed text", async () => {
    const { textStream } = streamText({ model: scripted, prompt: GREETING });
    const pieces = (await collect(textStream)).filter(Boolean);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe(GREETING);
    note("streamed text", "yes", "`result.textStream` of `streamText`");
  });

  it("parses JSON with its output helper, plain and streamed", async () => {
    const output = Output.object({ schema: jsonSchema<{ city: string }>(CITY_SCHEMA) });
    const ask = { model: scripted, prompt: ANSWERS_JSON, output };
    expect((await generateText(ask)).output).toEqual({ city: "Bern" });
    expect(await streamText(ask).output).toEqual({ city: "Bern" });
    note("helper", "yes", "`Output.object()`, `stopWhen`");
  });

  it("returns a plain answer's citations in the included body", async () => {
    const plain = await generateText({ model: cited, prompt: QUESTION });
    expect(plain.text).toBe(wire.text);
    expectDropped(plain, { kept: "Asthma", dropped: "chunk_id" });
    const { response } = await generateText({
      model: cited,
      prompt: QUESTION,
      include: { responseBody: true },
    });
    expect(response.body).toMatchObject({ citations: wire.citations });
    note(
      "citations, plain",
      "option",
      "`include: { responseBody: true }`, then `result.response.body.citations`",
    );
  });

  it("returns a streamed answer's citations in the included raw chunks", async () => {
    const plain = streamText({ model: cited, prompt: QUESTION });
    expectDropped(await collect(plain.stream), { kept: "Asthma", dropped: "chunk_id" });
    expect(await plain.text).toBe(wire.text);
    const chunks = await rawChunksOf(cited);
    expect(chunks[0]).toMatchObject({ citations: wire.found });
    expect(chunks.findLast(({ citations }) => citations)).toMatchObject({
      citations: wire.citations,
    });
    note(
      "citations, streamed",
      "option",
      "`includeRawChunks: true`, then `citations` of the first `raw` part",
    );
  });

  it("returns the annotations of a plain answer", async () => {
    const { sources, response } = await generateText({
      model: cited,
      prompt: QUESTION,
      include: { responseBody: true },
    });
    expect(response.body).toMatchObject({
      choices: [{ message: { annotations: wire.annotations } }],
    });
    expect(sources).toEqual(isCompatible ? [] : sourcesOf(wire));
    note("annotations, plain", ...annotationsIn("`result.response.body`"));
    expect(response.body).toMatchObject({
      choices: [{ message: { verification: wire.verification } }],
    });
    note("verification, plain", "option", "`result.response.body`, as for citations");
  });

  it("returns the annotations of a streamed answer", async () => {
    const result = streamText({ model: cited, prompt: QUESTION });
    const parts = (await collect(result.stream)).filter(({ type }) => type === "source");
    const expected = isCompatible ? [] : sourcesOf(wire);
    expect(parts).toEqual(expected);
    expect(await result.sources).toEqual(expected);
    const chunks = await rawChunksOf(cited);
    const annotated = chunks.filter(({ choices }) => choices[0]?.delta.annotations);
    expect(annotated).toHaveLength(1);
    expect(annotated[0]?.choices[0]?.delta.annotations).toEqual(wire.annotations);
    note("annotations, streamed", ...annotationsIn("a `raw` part"));
    expect(annotated[0]?.choices[0]?.delta.verification).toEqual(wire.verification);
    note("verification, streamed", "option", "the `raw` part with the annotations");
  });

  it("returns a plain answer's warnings in the included body", async () => {
    const { warnings, response } = await generateText({
      model: connect(SCRIPTED_MODEL, { citations: CITATIONS }),
      prompt: TOO_LONG_QUESTION,
      include: { responseBody: true },
    });
    expect(warnings).toEqual([]);
    expect(response.body).toMatchObject({ warnings: wire.warnings });
    note(
      "warnings",
      "option",
      "`result.response.body.warnings`; `result.warnings` has the client's own warnings",
    );
  });

  it("returns the cost of an answer", async () => {
    const plain = await generateText({ model: scripted, prompt: GREETING });
    const cost_usd = plain.response.headers?.["x-footnote-cost-usd"];
    expect(cost_usd).toMatch(/^0\.\d{6}$/);
    const streamed = streamText({ model: scripted, prompt: GREETING });
    const rawUsages = [plain.usage.raw, (await streamed.usage).raw];
    if (isCompatible) {
      expect(rawUsages).toMatchObject([{ cost_usd }, { cost_usd }]);
      note("cost", "yes", "`result.usage.raw.cost_usd`; streamed with `includeUsage: true`");
      return;
    }
    expectDropped(rawUsages, { kept: "completion_tokens", dropped: "cost_usd" });
    expect((await rawChunksOf(scripted)).at(-1)?.usage).toMatchObject({ cost_usd });
    note(
      "cost",
      "option",
      '`result.response.headers["x-footnote-cost-usd"]`; streamed the last `raw` part',
    );
  });

  it("returns the request id of plain answers, streams and errors", async () => {
    const plain = await generateText({ model: scripted, prompt: GREETING });
    expect(plain.response.headers?.["x-request-id"]).toMatch(/^req_/);
    const streamed = await streamText({ model: scripted, prompt: GREETING }).response;
    expect(streamed.headers?.["x-request-id"]).toMatch(/^req_/);
    const refused = await failureOf(connect(SCRIPTED_MODEL, { key: "wrong" }));
    expect(refused).toMatchObject({
      responseHeaders: { "x-request-id": expect.stringMatching(/^req_/) },
    });
    note(
      "request id",
      "yes",
      '`result.response.headers["x-request-id"]`; failed `error.responseHeaders`',
    );
  });

  it.each(["plain", "streamed"])("runs tools and sends back their results (%s)", async (form) => {
    const asked: unknown[] = [];
    const ask = {
      model: scripted,
      prompt: CALLS_TOOL,
      tools: { get_weather: weatherTool(asked) },
      stopWhen: isStepCount(2),
    };
    const result = form === "plain" ? await generateText(ask) : streamText(ask);
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(await result.text).toBe("It snows in Bern.");
    expect(asked).toEqual([{ city: "Bern" }]);
    note("tools", "yes", "`result.toolCalls`, or run by `execute`");
  });

  it("throws its own error class with status, code and param", async () => {
    const wrongKey = await failureOf(connect(SCRIPTED_MODEL, { key: "wrong" }));
    expect(APICallError.isInstance(wrongKey)).toBe(true);
    expect(wrongKey).toMatchObject({
      statusCode: 403,
      isRetryable: false,
      data: { error: { code: "invalid_api_key", type: "authentication_error" } },
    });
    const badField = await failureOf(
      connect(EXTRACT_MODEL, { citations: { enabled: true, top_k: 51 } }),
    );
    expect(badField).toMatchObject({
      statusCode: 400,
      data: { error: { code: "invalid_request", param: "citations.top_k" } },
    });
    note("typed errors", "yes", "`APICallError`: `statusCode`, `data.error.code`, `.param`");
  });

  it("retries a 429 but not a 402", async () => {
    const money = watchFetch();
    const broke = await failureOf(connect(COSTLY_MODEL, money));
    expect(broke).toMatchObject({
      statusCode: 402,
      data: { error: { code: "insufficient_balance", type: "billing_error" } },
    });
    expect(JSON.parse((broke as APICallError).responseBody ?? "")).toMatchObject({
      error: { balance: expect.any(String), required: expect.any(String) },
    });
    expect(money.responses).toHaveLength(1);
    const busy = watchFetch();
    const limited = await failureOf(connect(SCRIPTED_MODEL, busy), BUSY);
    expect(RetryError.isInstance(limited)).toBe(true);
    expect(limited).toMatchObject({
      lastError: { statusCode: 429, data: { error: { code: "rate_limit_exceeded" } } },
    });
    expect(busy.responses.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it("reports a stream that breaks midway", async () => {
    const result = streamText({ model: scripted, prompt: BREAKS_OFF, onError: () => {} });
    const parts = await collect(result.stream);
    const text = parts.flatMap((part) => (part.type === "text-delta" ? part.text : []));
    expect(text.join("")).toBe("one two ");
    const errors = parts.flatMap((part) => (part.type === "error" ? part.error : []));
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors[0])).toContain("upstream_error");
  });

  it("is billed only for generated tokens when its signal aborts", async () => {
    await expectBilledHangUp(async () => {
      const { signal, abort } = abortable();
      const result = streamText({ model: scripted, prompt: SLOW, abortSignal: signal });
      await readSome(result.textStream, abort);
    });
    note(
      "disconnect billed",
      "yes",
      "`abortSignal`; if you only leave the loop, it keeps reading and you pay for everything",
    );
  });

  it("keeps reading and is billed in full when it only leaves the loop", async () => {
    const paidTokens = await countPaidTokens(async () => {
      await readSome(streamText({ model: scripted, prompt: SLOW }).textStream);
    });
    expect(paidTokens).toBe(SLOW_TOKENS);
  });

  /** The compatible provider has no sources; the other returns each annotation's url and title. */
  function annotationsIn(raw: string): [Support, string] {
    return isCompatible
      ? ["option", `${raw}, as for citations`]
      : ["yes", `\`result.sources\`: url and title; with positions in ${raw}`];
  }
});

describe("@ai-sdk/openai without .chat()", () => {
  const provider = createOpenAI({ baseURL, apiKey });

  it("answers with the sources of file_search, plain and streamed", async () => {
    const ask = {
      model: provider(EXTRACT_MODEL),
      prompt: QUESTION,
      tools: { file_search: provider.tools.fileSearch({ vectorStoreIds: ["public_kb"] }) },
    };
    const plain = await generateText(ask);
    expect(plain.text).toContain("[1]");
    expect(plain.sources.length).toBeGreaterThan(0);
    const streamed = streamText(ask);
    expect(await streamed.text).toBe(plain.text);
    expect((await streamed.sources).length).toBe(plain.sources.length);
  });

  it("uploads a file, and searches a vector store with a filter", async () => {
    const { providerReference } = await provider.files().uploadFile({
      ...{ data: { type: "text", text: "The egret nests in April." }, mediaType: "text/plain" },
      filename: "egret.txt",
    });
    expect(providerReference.openai).toMatch(/^doc_/);
    recordCell("@ai-sdk/openai", "files", "yes", "`openai.files().uploadFile()`");
    const fileSearch = provider.tools.fileSearch({
      ...{ vectorStoreIds: ["public_kb"], filters: OF_TITLE },
    });
    const { sources } = await generateText({
      ...{ model: provider(EXTRACT_MODEL), prompt: QUESTION, tools: { file_search: fileSearch } },
    });
    expectFiltered(sources, wire);
    const where = "`openai.tools.fileSearch()` of the default provider";
    recordCell("@ai-sdk/openai", "vector stores", "yes", where);
    recordCell("@ai-sdk/openai", "filters", "yes", where);
  });

  it("gets typed errors", async () => {
    expect(await failureOf(provider("unknown-model"))).toMatchObject({
      url: `${baseURL}/responses`,
      statusCode: 400,
      data: { error: { code: "invalid_request", param: "model" } },
    });
  });
});

describe("@ai-sdk/openai-compatible with a metadata extractor", () => {
  it("returns the citations in the provider's metadata, plain and streamed", async () => {
    const model = createOpenAICompatible({
      name: "footnote",
      baseURL,
      apiKey,
      metadataExtractor: CITATIONS_EXTRACTOR,
    }).chatModel(EXTRACT_MODEL);
    const ask = {
      model,
      prompt: QUESTION,
      // This provider sends unknown options as body fields.
      providerOptions: { footnote: { citations: CITATIONS } },
    };
    const expected = { footnote: { citations: wire.citations } };
    expect((await generateText(ask)).providerMetadata).toEqual(expected);
    expect(await streamText(ask).providerMetadata).toEqual(expected);
  });

  it("searches a vector store with a filter, and has no files", async () => {
    const provider = createOpenAICompatible({ name: "footnote", baseURL, apiKey });
    const citations = { ...CITATIONS, stores: ["public_kb"], filters: OF_TITLE };
    const { response } = await generateText({
      ...{ model: provider.chatModel(EXTRACT_MODEL), prompt: QUESTION },
      ...{ providerOptions: { footnote: { citations } }, include: { responseBody: true } },
    });
    expectFiltered((response.body as WireCompletion).citations ?? [], wire);
    const name = "@ai-sdk/openai-compatible";
    recordCell(name, "vector stores", "option", "`citations.stores` of the request");
    recordCell(name, "filters", "option", "`citations.filters` of the request");
    expect("files" in provider).toBe(false);
    recordCell(name, "files", "no", "use another client");
  });
});

const CITATIONS_EXTRACTOR: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => ({ footnote: citationsOf(parsedBody) }),
  createStreamExtractor: () => {
    let found: ReturnType<typeof citationsOf> | undefined;
    return {
      processChunk: (chunk) => {
        // Only the last chunk's list says which sources are cited.
        const { citations } = chunk as Partial<WireCompletion>;
        found = citations ? citationsOf(chunk) : found;
      },
      buildMetadata: () => found && { footnote: found },
    };
  },
};

function citationsOf(body: unknown) {
  const { citations = [] } = body as WireCompletion;
  return { citations: citations.map((citation) => ({ ...citation })) };
}

interface RawChunk {
  choices: { delta: { annotations?: unknown; verification?: unknown } }[];
  citations?: unknown;
  usage?: object;
}

async function rawChunksOf(model: LanguageModel): Promise<RawChunk[]> {
  const { stream } = streamText({ model, prompt: QUESTION, includeRawChunks: true });
  const parts = await collect(stream);
  return parts.flatMap((part) => (part.type === "raw" ? (part.rawValue as RawChunk) : []));
}

function sourcesOf({ annotations }: Wire): object[] {
  return annotations.map(({ url_citation: { url, title } }) => ({
    type: "source",
    sourceType: "url",
    id: expect.any(String),
    url,
    title,
  }));
}

function weatherTool(asked: unknown[]) {
  return tool({
    description: "The weather of a city",
    inputSchema: jsonSchema<{ city: string }>(CITY_SCHEMA),
    execute: async (input) => {
      asked.push(input);
      return "snow";
    },
  });
}

function bodyOf(init: RequestInit | undefined): object {
  return JSON.parse(String(init?.body));
}

function failureOf(model: LanguageModel, prompt = GREETING): Promise<unknown> {
  return generateText({ model, prompt }).then(
    () => "no failure",
    (error: unknown) => error,
  );
}
