import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Column, recordCell, type Support } from "./cells";
import {
  abortable,
  apiKey,
  baseURL,
  collect,
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
  COSTLY_MODEL,
  EXTRACT_MODEL,
  GREETING,
  OF_TITLE,
  QUESTION,
  SCRIPTED_MODEL,
  SLOW,
  TOO_LONG_QUESTION,
} from "./scenario";

const RAW = { __includeRawResponse: true };
const City = z.object({ city: z.string() });

let wire: Wire;

beforeAll(async () => {
  wire = await readWire();
});

describe("@langchain/openai", () => {
  it("returns the answer's text", async () => {
    const message = await connect().invoke(GREETING);
    expect(message.content).toBe(GREETING);
    expect(message.response_metadata).toMatchObject({ finish_reason: "stop" });
    note("answer text", "yes", "`message.content` of `invoke`");
  });

  it("returns the streamed text", async () => {
    const chunks = await collect(await connect().stream(GREETING));
    expect(chunks.length).toBeGreaterThan(2);
    expect(textOf(chunks)).toBe(GREETING);
    note("streamed text", "yes", "`chunk.content` of `stream`");
  });

  it("streams events and parses JSON with its helpers", async () => {
    const pieces = await collect(connect().streamEvents(GREETING).text);
    expect(pieces.join("")).toBe(GREETING);
    const events = await collect(connect().streamEvents(GREETING, { version: "v2" }));
    const chunks = events.filter(({ event }) => event === "on_chat_model_stream");
    expect(textOf(chunks.map(({ data }) => data.chunk))).toBe(GREETING);
    const parsed = await connect().withStructuredOutput(City).invoke(ANSWERS_JSON);
    expect(parsed).toEqual({ city: "Bern" });
    note("helper", "yes", "`streamEvents()`, `withStructuredOutput()`");
  });

  it("returns a plain answer's citations in the included raw response", async () => {
    const plain = await connect(CITED).invoke(QUESTION);
    expect(plain.content).toBe(wire.text);
    expectDropped(plain, { kept: "Asthma", dropped: "chunk_id" });
    const message = await connect({ ...CITED, ...RAW }).invoke(QUESTION);
    expect(rawOf(message)).toMatchObject({ citations: wire.citations });
    note(
      "citations, plain",
      "option",
      "`__includeRawResponse: true`, then `message.additional_kwargs.__raw_response.citations`",
    );
  });

  it("returns a streamed answer's citations in the included raw chunks", async () => {
    const plain = await collect(await connect(CITED).stream(QUESTION));
    expectDropped(plain, { kept: "Asthma", dropped: "chunk_id" });
    expect(textOf(plain)).toBe(wire.text);
    const chunks = await collect(await connect({ ...CITED, ...RAW }).stream(QUESTION));
    expect(rawOf(chunks[0])).toMatchObject({ citations: wire.found });
    const events = await collect(connect({ ...CITED, ...RAW }).streamEvents(QUESTION));
    expectDropped(events, { kept: "Asthma", dropped: "chunk_id" });
    note(
      "citations, streamed",
      "option",
      "the same on the first chunk of `stream`, not of `streamEvents()`",
    );
  });

  it("returns a plain answer's annotations in the included raw response", async () => {
    const plain = await connect(CITED).invoke(QUESTION);
    expectDropped(plain, { kept: "Asthma", dropped: "url_citation" });
    const message = await connect({ ...CITED, ...RAW }).invoke(QUESTION);
    expect(rawOf(message)).toMatchObject({
      choices: [{ message: { annotations: wire.annotations } }],
    });
    note("annotations, plain", "option", "`__raw_response`, as for citations");
    expect(rawOf(message)).toMatchObject({
      choices: [{ message: { verification: wire.verification } }],
    });
    note("verification, plain", "option", "`__raw_response`, as for citations");
  });

  it("returns a streamed answer's annotations in the included raw chunks", async () => {
    const plain = await collect(await connect(CITED).stream(QUESTION));
    expectDropped(plain, { kept: "Asthma", dropped: "url_citation" });
    const chunks = await collect(await connect({ ...CITED, ...RAW }).stream(QUESTION));
    const annotated = chunks.filter((chunk) => JSON.stringify(chunk).includes("url_citation"));
    expect(annotated).toHaveLength(1);
    expect(rawOf(annotated[0])).toMatchObject({
      choices: [{ finish_reason: "stop", delta: { annotations: wire.annotations } }],
    });
    note("annotations, streamed", "option", "`__raw_response` of the chunk that finishes");
    expect(rawOf(annotated[0])).toMatchObject({
      citations: wire.citations,
      choices: [{ delta: { verification: wire.verification } }],
    });
    note("verification, streamed", "option", "`__raw_response` of the chunk that finishes");
  });

  it("returns a plain answer's warnings in the included raw response", async () => {
    const warned = { modelKwargs: { citations: CITATIONS } };
    const plain = await connect(warned).invoke(TOO_LONG_QUESTION);
    expectDropped(plain, { kept: GREETING, dropped: "without citations" });
    const message = await connect({ ...warned, ...RAW }).invoke(TOO_LONG_QUESTION);
    expect(rawOf(message)).toMatchObject({ warnings: wire.warnings });
    note("warnings", "option", "`__raw_response.warnings`");
  });

  it("returns the cost of an answer", async () => {
    const { fetch, responses } = watchFetch();
    const message = await connect({ configuration: { fetch } }).invoke(GREETING);
    const cost_usd = responses[0]?.headers.get("x-footnote-cost-usd");
    expect(cost_usd).toMatch(/^0\.\d{6}$/);
    expect(message.response_metadata).toMatchObject({ usage: { cost_usd } });
    const chunks = await collect(await connect().stream(GREETING));
    expect(chunks.at(-1)?.response_metadata).toMatchObject({ usage: { cost_usd } });
    const whole = chunks.reduce((before, chunk) => before.concat(chunk));
    expect(whole.response_metadata).toMatchObject({ usage: { cost_usd } });
    note("cost", "yes", "`message.response_metadata.usage.cost_usd`");
  });

  it("returns an error's request id, but needs a custom fetch for an answer's", async () => {
    const { fetch, responses } = watchFetch();
    const connected = connect({ configuration: { fetch }, ...RAW });
    const messages = [
      await connected.invoke(GREETING),
      ...(await collect(await connected.stream(GREETING))),
    ];
    expectDropped(messages, { kept: GREETING, dropped: "req_" });
    const ids = responses.map(({ headers }) => headers.get("x-request-id"));
    expect(ids).toEqual([expect.stringMatching(/^req_/), expect.stringMatching(/^req_/)]);
    expect(await failureOf({ apiKey: "wrong" })).toMatchObject({
      requestID: expect.stringMatching(/^req_/),
    });
    note("request id", "fetch", "`configuration: { fetch }`; failed `error.requestID`");
  });

  it.each(["invoke", "stream"] as const)(
    "calls bound tools and sends back their results (%s)",
    async (verb) => {
      const weather = tool(async () => "snow", {
        name: "get_weather",
        description: "The weather of a city",
        schema: City,
      });
      const model = connect().bindTools([weather]);
      const question = new HumanMessage(CALLS_TOOL);
      const call =
        verb === "invoke"
          ? await model.invoke([question])
          : (await collect(await model.stream([question]))).reduce((a, b) => a.concat(b));
      const asked = { name: "get_weather", args: { city: "Bern" }, id: "call_1" };
      expect(call.tool_calls).toMatchObject([asked]);
      const result = await weather.invoke({ ...asked, type: "tool_call" });
      const answer = await model.invoke([question, call, result]);
      expect(answer.content).toBe("It snows in Bern.");
      note("tools", "yes", "`bindTools()`, `message.tool_calls`, `ToolMessage`");
    },
  );

  it("throws the error classes of openai with status, code and param", async () => {
    const wrongKey = await failureOf({ apiKey: "wrong" });
    expect(wrongKey).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(wrongKey).toMatchObject({
      status: 403,
      code: "invalid_api_key",
      type: "authentication_error",
    });
    const badField = await failureOf({ modelKwargs: { citations: { enabled: true, top_k: 51 } } });
    expect(badField).toBeInstanceOf(OpenAI.BadRequestError);
    expect(badField).toMatchObject({
      status: 400,
      code: "invalid_request",
      param: "citations.top_k",
    });
    note("typed errors", "yes", "the same as `openai`: `status`, `code`, `param`");
  });

  it("retries a 429 but not a 402", async () => {
    const money = watchFetch();
    const broke = await failureOf({
      model: COSTLY_MODEL,
      configuration: { fetch: money.fetch },
    });
    expect(broke).toMatchObject({
      status: 402,
      code: "insufficient_balance",
      type: "billing_error",
      error: { balance: expect.any(String), required: expect.any(String) },
    });
    expect(money.responses).toHaveLength(1);
    const busy = watchFetch();
    // Its backoff starts at one second regardless of retry-after; one retry is enough.
    const limited = await failureOf({ maxRetries: 1, configuration: { fetch: busy.fetch } }, BUSY);
    expect(limited).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(busy.responses.map(({ status }) => status)).toEqual([429, 429]);
  });

  it("throws when a stream breaks midway", async () => {
    const received: AIMessageChunk[] = [];
    const reading = (async () => {
      for await (const chunk of await connect().stream(BREAKS_OFF)) {
        received.push(chunk);
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "upstream_error" });
    expect(textOf(received)).toBe("one two ");
  });

  it("searches a vector store with a filter, and has no files", async () => {
    const citations = { ...CITATIONS, stores: ["public_kb"], filters: OF_TITLE };
    const model = connect({ model: EXTRACT_MODEL, modelKwargs: { citations }, ...RAW });
    const body = rawOf(await model.invoke(QUESTION)) as WireCompletion;
    expectFiltered(body.citations ?? [], wire);
    note("vector stores", "option", "`citations.stores` of the request");
    note("filters", "option", "`citations.filters` of the request");
    expect("files" in model).toBe(false);
    note("files", "no", "use another client");
  });

  it.each(["leaves the loop", "aborts its signal"])(
    "is billed only for generated tokens when it %s",
    async (action) => {
      await expectBilledHangUp(async () => {
        const { signal, abort } = abortable();
        const stream = await connect().stream(SLOW, { signal });
        if (action === "leaves the loop") {
          await readSome(stream);
        } else {
          await expect(readSome(stream, abort)).rejects.toThrow(/abort/i);
        }
      });
      note("disconnect billed", "yes", "leaving the loop, or `signal`");
    },
  );
});

const CITED: ChatOpenAIFields = { model: EXTRACT_MODEL, modelKwargs: { citations: CITATIONS } };

function connect({ configuration, ...fields }: ChatOpenAIFields = {}): ChatOpenAI {
  return new ChatOpenAI({
    model: SCRIPTED_MODEL,
    apiKey,
    ...fields,
    configuration: { baseURL, ...configuration },
  });
}

function note(column: Column, support: Support, where: string): void {
  recordCell("@langchain/openai", column, support, where);
}

function rawOf(message: { additional_kwargs: Record<string, unknown> } | undefined): unknown {
  return message?.additional_kwargs.__raw_response;
}

function textOf(chunks: { content: unknown }[]): string {
  return chunks.map(({ content }) => content).join("");
}

function failureOf(fields: ChatOpenAIFields, question = GREETING): Promise<unknown> {
  return connect(fields)
    .invoke(question)
    .then(
      () => "no failure",
      (error: unknown) => error,
    );
}
