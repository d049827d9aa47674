import { inspect } from "node:util";
import { Agent, handoff, tool } from "@openai/agents";
import OpenAI from "openai";
import OpenAI6 from "openai-6";
import { zodTextFormat } from "openai-6/helpers/zod";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { type AgentColumn, recordAgentCell } from "./cells";
import { mastra, openaiAgents, runnerOf } from "./drivers/agents";
import { aiSdkChat, aiSdkCompatible, aiSdkResponses } from "./drivers/ai-sdk";
import { langchainChat, langchainResponses, llamaIndex, tanstack } from "./drivers/chains";
import type { Answer, Driver, Listening } from "./drivers/driver";
import { openai6, openai7, openaiChats } from "./drivers/openai";
import {
  abortable,
  apiKey,
  baseURL,
  countPaidTokens,
  expectBilledHangUp,
  readWire,
  type Wire,
} from "./product";
import {
  ANSWERS_JSON,
  BUSY,
  CALLS_TOOL,
  COSTLY_MODEL,
  EXTRACT_MODEL,
  FIRST_TURN,
  GREETING,
  PIECES_BEFORE_HANG_UP,
  QUESTION,
  RECALLED,
  SCRIPTED_MODEL,
  SECOND_TURN,
  SLOW,
  SLOW_TOKENS,
  STRICT_SECOND_TURN,
} from "./scenario";

const DRIVERS: Driver[] = [
  ...openaiChats,
  openai6,
  openai7,
  aiSdkChat,
  aiSdkResponses,
  aiSdkCompatible,
  openaiAgents,
  langchainChat,
  langchainResponses,
  llamaIndex,
  mastra,
  tanstack,
];
const CITED = { model: EXTRACT_MODEL, isCited: true };
const INSTRUCTIONS = "Answer in one sentence.";

let wire: Wire;
/** For the client that can't send `citations`. */
let presets: string[] = [];

beforeAll(async () => {
  wire = await readWire();
  presets = await Promise.all(
    [EXTRACT_MODEL, SCRIPTED_MODEL].map(async (model) => {
      const body = JSON.stringify({ name: "cited", model, citations: {} });
      return (await askPresets("", { method: "POST", body })).id;
    }),
  );
});

afterAll(async () => {
  for (const id of presets) {
    await askPresets(`/${id}`, { method: "DELETE" });
  }
});

describe.each(DRIVERS)("$package, $api", (driver) => {
  const note = (column: AgentColumn, value: string) =>
    recordAgentCell({ package: driver.package, api: driver.api, column, value });

  it("returns the same cited answer plain and streamed, with its evidence and usage", async () => {
    const plain = await driver.ask(CITED, QUESTION);
    expect(plain.text).toBe(wire.text);
    const pieces: string[] = [];
    const streamed = await driver.stream(
      CITED,
      QUESTION,
      listening((piece) => pieces.push(piece)),
    );
    expect(streamed.text).toBe(wire.text);
    expect(pieces.join("")).toBe(wire.text);
    note("streamed = plain", "yes");
    note("citations", both(citationsIn(plain), citationsIn(streamed)));
    note("annotations", both(annotationsIn(plain), annotationsIn(streamed)));
    note("usage", both(usageIn(plain), usageIn(streamed)));
  });

  it.each([
    ["second turn", SECOND_TURN, undefined],
    ["strict upstream", STRICT_SECOND_TURN, INSTRUCTIONS],
  ] as const)("sends its answer back as history (%s)", async (column, second, instructions) => {
    const connection = {
      model: SCRIPTED_MODEL,
      isCited: true,
      ...(instructions && { instructions }),
    };
    const [first, recalled] = await driver.converse(connection, [FIRST_TURN, second]);
    expect(first).toBe("Asthma makes people wheeze [1].");
    expect(recalled?.split("\n").map((line) => line.split(":")[0])).toEqual(["user", "assistant"]);
    expect(recalled).toContain(RECALLED);
    note(column, "yes");
  });

  it("throws an error with its status or code", async () => {
    const error = await failureOf(driver.ask({ model: SCRIPTED_MODEL, key: "wrong" }, GREETING));
    expect(inspect(error, { depth: 5 })).toContain("invalid_api_key");
    const { status, statusCode } = error as { status?: number; statusCode?: number };
    note("errors", (status ?? statusCode) === 403 ? "status and code" : "code");
  });

  it("doesn't retry a 402", async () => {
    const statuses = watchStatuses();
    await failureOf(driver.ask({ model: COSTLY_MODEL }, GREETING));
    expect(statuses).toEqual([402]);
  });

  it("retries a 429", async () => {
    const statuses = watchStatuses();
    await failureOf(driver.ask({ model: SCRIPTED_MODEL }, BUSY));
    expect(new Set(statuses)).toEqual(new Set([429]));
    note("tries of a 429", String(statuses.length));
  });

  it("is billed for what was generated when it is aborted, if it can stop", async () => {
    const hangUp = async () => {
      const { signal, abort } = abortable();
      let count = 0;
      const onText = () => {
        count += 1;
        if (count === PIECES_BEFORE_HANG_UP) {
          abort();
        }
      };
      await driver.stream({ model: SCRIPTED_MODEL }, SLOW, { signal, onText }).catch(() => {});
    };
    if (driver.canStop === false) {
      expect(await countPaidTokens(hangUp)).toBe(SLOW_TOKENS);
      note("disconnect billed", "in full");
      return;
    }
    await expectBilledHangUp(hangUp);
    note("disconnect billed", "yes");
  });
});

describe.each([
  ["openai 6", OpenAI6 as unknown as typeof OpenAI],
  ["openai 7", OpenAI],
])("responses.parse() of %s", (_name, Client) => {
  it("parses JSON by its schema", async () => {
    const client = new Client({ apiKey, baseURL });
    const format = zodTextFormat(z.object({ city: z.string() }), "city");
    const parsed = await client.responses.parse({
      ...{ model: SCRIPTED_MODEL, input: ANSWERS_JSON },
      text: { format: format as never },
    });
    expect(parsed.output_parsed).toEqual({ city: "Bern" });
  });
});

describe("agents of @openai/agents", () => {
  it("run functions, and hand over to another agent", async () => {
    const asked: unknown[] = [];
    const get_weather = tool({
      ...{ name: "get_weather", description: "The weather of a city" },
      parameters: z.object({ city: z.string() }),
      execute: async (input) => {
        asked.push(input);
        return "snow";
      },
    });
    const runner = runnerOf({ model: SCRIPTED_MODEL });
    const model = SCRIPTED_MODEL;
    const forecaster = new Agent({ name: "Forecaster", model, tools: [get_weather] });
    expect((await runner.run(forecaster, CALLS_TOOL)).finalOutput).toBe("It snows in Bern.");
    expect(asked).toEqual([{ city: "Bern" }]);
    const specialist = new Agent({ name: "Specialist", model });
    const handoffs = [handoff(specialist, { toolNameOverride: "get_weather" })];
    const triage = new Agent({ name: "Triage", model, handoffs });
    const handed = await runner.run(triage, CALLS_TOOL);
    expect(handed.lastAgent?.name).toBe("Specialist");
    expect(handed.finalOutput).toBe("It snows in Bern.");
  });
});

async function askPresets(path: string, init: RequestInit): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const response = await fetch(`${baseURL}/presets${path}`, { ...init, headers });
  expect(response.ok).toBe(true);
  return response.json();
}

function listening(onText: Listening["onText"]): Listening {
  return { signal: new AbortController().signal, onText };
}

/** `yes`: with their ids and everything else; `titles`: what the client knows of a source; `no`. */
function citationsIn({ result }: Answer): string {
  const text = textOf(result);
  const [first] = wire.citations as unknown as { chunk_id: string }[];
  return text.includes(first?.chunk_id ?? "?") ? "yes" : sourcesIn(text);
}

function annotationsIn({ result }: Answer): string {
  const text = textOf(result);
  return /permalink\W{1,3}http/.test(text) ? "yes" : sourcesIn(text);
}

function sourcesIn(text: string): string {
  const [first] = wire.citations as unknown as { document_id: string; metadata: { url: string } }[];
  const names = [first?.document_id, first?.metadata.url];
  return names.some((name) => name && text.includes(name)) ? "titles" : "no";
}

function textOf(result: unknown): string {
  const all = Number.POSITIVE_INFINITY;
  return inspect(result, { depth: 40, maxStringLength: all, maxArrayLength: all });
}

function usageIn({ usage }: Answer): string {
  return usage?.every((tokens) => tokens > 0) ? "yes" : "no";
}

function both(plain: string, streamed: string): string {
  return plain === streamed ? plain : `${plain}; streamed ${streamed}`;
}

function failureOf(answer: Promise<Answer>): Promise<unknown> {
  return answer.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

/** The statuses of the responses until the test ends. */
function watchStatuses(): number[] {
  const statuses: number[] = [];
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (...call) => {
    const response = await fetch(...call);
    statuses.push(response.status);
    return response;
  });
  onTestFinished(() => spy.mockRestore());
  return statuses;
}
