import type OpenAI from "openai";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Citation, Warning } from "@/lib/answers/citations/schema";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import { env } from "@/lib/platform/env";
import { call, openai } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptSearcher } from "@/lib/testing/fake-upstream-searcher";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
interface Found {
  retrieval?: Retrieval;
  citations?: Citation[];
  warnings?: Warning[];
}

const QUESTION = "Who treats the patients of the ward that Dr Ahn leads?";
const LEADERS = "Dr Ahn leads the heron ward.";
const NURSES = "Nurse Okafor treats the patients of the heron ward.";
const BOTH = [{ query: "Which ward does Dr Ahn lead?" }, { query: "Who treats the heron ward?" }];

let account: Awaited<ReturnType<typeof makeKeyedAccount>>;

beforeAll(async () => {
  await startBackgroundWork();
  account = await makeKeyedAccount({ knowledge_scopes: ["customer_kb"] });
  for (const [title, text, year] of [
    ["Leaders", LEADERS, 2025],
    ["Nurses", NURSES, 2026],
  ] as const) {
    const body = { scope: "customer_kb", title, text, metadata: { year } };
    const upload = await call("POST", "/v1/kb/documents", { key: account.key, body });
    const job = `/v1/kb/jobs/${upload.json.job_id}?wait=20`;
    expect((await call("GET", job, { key: account.key })).json.status).toBe("completed");
  }
}, 60_000);
afterAll(() => stopBackgroundWork());
afterEach(() => scriptSearcher(null));

/** The prompts of the model that decides, and the one of the answer. */
async function ask(citations: object = {}, extra: object = {}) {
  const from = upstream().seen.length;
  const answer = await openai(account.key).chat.completions.create({
    model: "scripted",
    messages: [{ role: "user", content: QUESTION }],
    citations: { enabled: true, search: "auto", min_score: 0, top_k: 1, ...citations },
    ...extra,
  } as unknown as Params);
  const prompts = upstream()
    .seen.slice(from)
    .map(({ body }) => body);
  return { ...(answer as typeof answer & Found), prompts };
}

it("searches until the model is done and numbers all sources in one list", async () => {
  scriptSearcher((prompt) => {
    if (prompt.includes("heron ward")) {
      return prompt.includes("Okafor") ? [] : [BOTH[1] as object];
    }
    return [BOTH[0] as object];
  });
  const { retrieval, citations, usage, prompts } = await ask();
  expect(citations?.map(({ id, title }) => [id, title])).toEqual([
    [1, "Leaders"],
    [2, "Nurses"],
  ]);
  expect(retrieval).toMatchObject({
    method: "model",
    query: QUESTION,
    rounds: BOTH.map((search, index) => ({
      ...search,
      found: 1,
      chunk_ids: [citations?.[index]?.chunk_id],
    })),
  });
  expect(prompts).toHaveLength(4);
  expect(prompts[0]).toMatchObject({ tool_choice: "auto" });
  expect(JSON.stringify(prompts[0]?.tools)).toContain('by an attribute: \\"year\\".');
  expect(prompts.at(-1)?.tools).toBeUndefined();
  const answered = JSON.stringify(prompts.at(-1)?.messages);
  expect(answered).toContain(LEADERS);
  expect(answered).toContain(NURSES);
  expect(usage).toMatchObject({ search: { model: "scripted", prompt_tokens: expect.any(Number) } });
  const { rate, costMicros } = await lastUsage(account.ctx.account.id);
  expect(rate).toMatchObject({ search: { model: "scripted" } });
  expect(costMicros).toBeGreaterThan(0n);
});

it("answers without sources, with a warning, when the model chooses not to search", async () => {
  const { retrieval, citations, warnings, prompts } = await ask();
  expect([retrieval, citations]).toEqual([undefined, undefined]);
  expect(warnings?.map(({ code }) => code)).toEqual(["not_searched"]);
  expect(prompts.at(-1)?.messages).toEqual([{ role: "user", content: QUESTION }]);
  const chunks: Found[] = [];
  const stream = await openai(account.key).chat.completions.create({
    model: "scripted",
    messages: [{ role: "user", content: QUESTION }],
    stream: true,
    citations: { enabled: true, search: "auto" },
  } as OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming);
  for await (const chunk of stream) {
    chunks.push(chunk as Found);
  }
  expect(chunks.flatMap(({ warnings }) => warnings ?? [])).toMatchObject([
    { code: "not_searched" },
  ]);
});

it("searches for the message when the model calls no functions or can't be asked", async () => {
  scriptSearcher(() => ({ status: 400 }));
  for (const model of ["footnote-extract-1", "scripted"]) {
    const { retrieval, citations } = await ask({}, { model });
    expect(retrieval).toMatchObject({ method: "last", query: QUESTION });
    expect(retrieval).not.toHaveProperty("rounds");
    expect(citations).toHaveLength(1);
  }
});

it.each(["always", "auto"])("names what came closest where nothing passes: %s", async (search) => {
  scriptSearcher((prompt) => (prompt.includes("Searched for") ? [] : BOTH));
  const { retrieval, citations } = await ask({ search, min_score: 1, top_k: 8 });
  expect(citations).toEqual([]);
  expect(retrieval?.closest?.map(({ title }) => title).toSorted()).toEqual(["Leaders", "Nurses"]);
  expect(Math.max(...(retrieval?.closest ?? []).map(({ similarity }) => similarity))).toBeLessThan(
    1,
  );
  const { retrieval: found } = await ask({ search: "always" });
  expect(found).not.toHaveProperty("closest");
});

it("refuses the caller's own filter on an attribute that no document has", async () => {
  scriptSearcher((prompt) => (prompt.includes("Searched for") ? [] : BOTH));
  const filters = { type: "eq", key: "yaer", value: 2026 };
  await expect(ask({ filters })).rejects.toMatchObject({
    status: 400,
    param: "citations.filters.key",
  });
});

it("answers from earlier searches when a later one fails, with a notice", async () => {
  let asked = 0;
  scriptSearcher(() => {
    asked += 1;
    env.RETRIEVAL_DEADLINE_MS = asked === 1 ? deadline : 0;
    return [BOTH[asked - 1] as object];
  });
  const { RETRIEVAL_DEADLINE_MS: deadline } = env;
  const { retrieval, citations } = await ask();
  env.RETRIEVAL_DEADLINE_MS = deadline;
  expect(citations?.map(({ title }) => title)).toEqual(["Leaders"]);
  expect(retrieval?.rounds).toHaveLength(1);
  expect(retrieval?.notices.map(({ code }) => code)).toContain("search_failed");
});

it("searches for the text that the caller gives, without asking the model", async () => {
  const { retrieval, prompts } = await ask({ query: { text: "heron ward" } });
  expect(retrieval).toMatchObject({ method: "given", query: "heron ward" });
  expect(prompts).toHaveLength(1);
});

it("searches at most four times, and never for the same thing twice", async () => {
  let asked = 0;
  scriptSearcher(() => {
    asked += 1;
    return [{ query: `ward ${asked}` }, { query: `nurse ${asked}` }, { query: "ward 1" }];
  });
  const { retrieval } = await ask();
  expect(retrieval?.rounds?.map(({ query }) => query)).toEqual([
    "ward 1",
    "nurse 1",
    "ward 2",
    "nurse 2",
  ]);
});

it("combines the model's filters with the request's and reports invalid ones to the model", async () => {
  const year = { type: "eq", key: "year", value: 2026 };
  const unknown = { type: "eq", key: "yaer", value: 2026 };
  scriptSearcher((prompt) => {
    if (prompt.includes("Nurses")) {
      return [];
    }
    const query = prompt.includes("Attributes that exist: 'year'") ? "ward" : "the ward";
    return [{ query, filters: query === "ward" ? year : unknown }];
  });
  const { retrieval, citations } = await ask({ top_k: 8 });
  expect(retrieval?.rounds).toEqual([
    { query: "the ward", filters: unknown, found: 0, chunk_ids: [] },
    { query: "ward", filters: year, found: 1, chunk_ids: [citations?.[0]?.chunk_id] },
  ]);
  expect(citations?.map(({ title }) => title)).toEqual(["Nurses"]);
  const { citations: none } = await ask({ filters: { ...year, value: 2025 } });
  expect(none).toEqual([]);
});

it.each([
  ["bare", (call: string) => call],
  [
    "tagged, after a thought",
    (call: string) => `Let me look {this} up.\n<tool_call>\n${call}\n</tool_call>`,
  ],
  [
    "in a fence, with parameters",
    (call: string) => `\`\`\`json\n${call.replace("arguments", "parameters")}\n\`\`\``,
  ],
])("searches for what a model writes as text: %s", async (_, write) => {
  const wanted = JSON.stringify({ name: "search_knowledge", arguments: BOTH[0] });
  scriptSearcher((prompt) => (prompt.includes("Searched for") ? [] : write(wanted)));
  const { retrieval } = await ask();
  expect(retrieval?.rounds).toMatchObject([BOTH[0]]);
});

it.each([
  "Nurse Okafor treats them.",
  "<think>Should I write READY? No.</think> Nurse Okafor treats them.",
])("searches for the message when the model answers instead of choosing", async (answer) => {
  scriptSearcher(() => answer);
  const { retrieval, citations } = await ask();
  expect(retrieval).toMatchObject({ method: "last", query: QUESTION });
  expect(citations).toHaveLength(1);
});

it("shows each search of a response as a file search of its own, plain and streamed", async () => {
  scriptSearcher((prompt) => (prompt.includes("Searched for") ? [] : BOTH));
  const body = {
    model: "scripted",
    input: QUESTION,
    include: ["file_search_call.results"],
    citations: { enabled: true, search: "auto", min_score: 0, top_k: 1 },
  };
  const { json } = await call("POST", "/v1/responses", { key: account.key, body });
  const searches = [
    { type: "file_search_call", queries: [BOTH[0]?.query], results: [{ filename: "Leaders" }] },
    { type: "file_search_call", queries: [BOTH[1]?.query], results: [{ filename: "Nurses" }] },
  ];
  expect(json.output).toMatchObject([...searches, { type: "message" }]);
  const ended = new Map<number, unknown>();
  const stream = openai(account.key).responses.stream(body as object);
  for await (const event of stream) {
    if (event.type === "response.output_item.done") {
      ended.set(event.output_index, event.item);
    }
  }
  const { output } = await stream.finalResponse();
  expect(output).toMatchObject([...searches, { type: "message" }]);
  expect([...ended].sort(([a], [b]) => a - b).map(([, item]) => item)).toMatchObject([
    ...searches,
    { type: "message" },
  ]);
});
