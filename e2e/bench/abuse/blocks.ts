import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { toTable } from "../shared/table";

const TICK_MS = 10;
/** What the server does after its answer, such as indexing an upload. */
const AFTER_MS = 3000;
const GOAL_MS = 50;
/** What an input causes comes each time; a pause of the machine doesn't. */
const ROUNDS = 3;
const LENGTH = 3_900_000;
const CHAT = "/v1/chat/completions";
const VERIFY = "/v1/citations/verify";

interface Input {
  path: string;
  /** The round makes documents differ, because the same one isn't indexed again. */
  body: (round: number) => string;
  type?: string;
}

function chat(content: string, rest: object = {}): string {
  const messages = [{ role: "user", content }];
  return JSON.stringify({ model: "bench", max_tokens: 10, messages, ...rest });
}

function filled(text: string, length = LENGTH): string {
  return text.repeat(length / text.length);
}

function listed(count: number, one: (index: number) => string, separator = " "): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(separator);
}

function verification(rest: object): string {
  const sources = Array.from({ length: 10 }, (_, index) => ({
    text: filled(`Adults take ${index} mg of amoxicillin at noon. `, 10_000).slice(0, 9900),
  }));
  return JSON.stringify({
    text: listed(
      91,
      (index) => `${filled("Adults take amoxicillin. ", 175)} Dose ${index} [1-10].`,
    ),
    sources,
    ...rest,
  });
}

/** What once held up every other request for up to five seconds. */
const INPUTS: Readonly<Record<string, Input>> = {
  "3.9 MB of '-'": { path: CHAT, body: () => chat(filled("-")) },
  "3.9 MB of newlines": { path: CHAT, body: () => chat(filled("\n", LENGTH / 2)) },
  "1.9 MB of '-', which fit": { path: CHAT, body: () => chat(filled("-", 1_900_000)) },
  "1.1 MB of 'a'": { path: CHAT, body: () => chat(filled("a", 1_100_000)) },
  "1.9 MB in a tool": {
    path: CHAT,
    body: () => {
      const parameters = { type: "object" };
      const description = filled("-", 1_900_000);
      return chat("Hi", {
        tools: [{ type: "function", function: { name: "a", description, parameters } }],
      });
    },
  },
  "3.9 MB to store": { path: CHAT, body: () => chat(filled("-"), { store: true }) },
  "49,000 wrong parts": {
    path: CHAT,
    body: () => chat("", { messages: [{ role: "user", content: Array(49_000).fill({}) }] }),
  },
  "a conversation of 256 messages": {
    path: CHAT,
    body: () =>
      chat("", {
        model: "footnote-extract-1",
        messages: Array.from({ length: 255 }, (_, at) => ({
          role: at % 2 ? "assistant" : "user",
          content: filled("And what about children and asthma? ", 2000),
        })),
        citations: { enabled: true, query: "conversation" },
      }),
  },
  "128 answers": {
    path: CHAT,
    body: () =>
      chat("What is asthma?", {
        model: "footnote-extract-1",
        max_tokens: 500,
        n: 128,
        citations: { enabled: true },
      }),
  },
  "a question of 7,000 words": {
    path: CHAT,
    body: () =>
      chat(
        listed(7000, (index) => `w${index.toString(36)}`),
        { model: "footnote-extract-1", citations: { enabled: true } },
      ),
  },
  "910 citations of 10 sources": { path: VERIFY, body: () => verification({}) },
  "the same, stripped": { path: VERIFY, body: () => verification({ on_unsupported: "strip" }) },
  "a batch without markers": {
    path: `${VERIFY}/batch`,
    type: "application/jsonl",
    body: () =>
      listed(
        190,
        () => JSON.stringify({ text: filled("a b c. ", 19_000), sources: [{ text: "a" }] }),
        "\n",
      ),
  },
  "an upload of 400,000 words": {
    path: "/v1/kb/documents",
    type: "multipart/form-data; boundary=part",
    body: (round) =>
      [
        ...['--part\r\nContent-Disposition: form-data; name="scope"', "", "customer_kb"],
        ...['--part\r\nContent-Disposition: form-data; name="file"; filename="words.txt"', ""],
        ...[listed(400_000, (index) => `w${round}${(index * 7919).toString(36)}`), "--part--", ""],
      ].join("\r\n"),
  },
};

interface Block {
  input: string;
  status: number;
  /** The longest answer of /api/live before, and during: the middle of the rounds, and the longest. */
  aloneMs: number;
  middleMs: number;
  longestMs: number;
}

/** The longest time that each of these inputs keeps /api/live from answering. */
export async function measureBlocks(
  origin: string,
  key: string,
): Promise<{ table: string; blocks: Block[] }> {
  const blocks: Block[] = [];
  for (const [input, { path, body, type = "application/json" }] of Object.entries(INPUTS)) {
    let status = 0;
    const ticks: { alone: number; during: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sent = Buffer.from(body(round));
      const alone = await longestTick(origin, sleep(500));
      const sending = request(origin + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": type },
        body: sent,
        headersTimeout: 0,
      }).then(async (answer) => {
        status = answer.statusCode;
        const [, job] = /"job_id":"(\w+)"/.exec(await answer.body.text()) ?? [];
        await (job ? indexed(`${origin}/v1/kb/jobs/${job}?wait=30`, key) : sleep(AFTER_MS));
      });
      ticks.push({ alone, during: await longestTick(origin, sending) });
    }
    const [, middleMs = 0, longestMs = 0] = ticks
      .map(({ during }) => Math.round(during))
      .sort((one, other) => one - other);
    const aloneMs = Math.round(Math.max(...ticks.map(({ alone }) => alone)));
    const block = { input, status, aloneMs, middleMs, longestMs };
    process.stderr.write(`${JSON.stringify(block)}\n`);
    blocks.push(block);
  }
  const rows = blocks.map((one) => [
    ...[one.input, one.status, one.aloneMs, one.middleMs, one.longestMs],
  ]);
  const header = [
    ...["input", "status", "longest tick alone, ms"],
    ...[`longest tick, middle of ${ROUNDS}, ms`, "longest of all"],
  ];
  return { table: toTable(header, [...rows, ["goal", "", "", `≤ ${GOAL_MS}`, ""]]), blocks };
}

async function indexed(url: string, key: string): Promise<void> {
  const { body } = await request(url, { headers: { authorization: `Bearer ${key}` } });
  const { status } = (await body.json()) as { status: string };
  return status === "completed" || status === "failed" ? undefined : indexed(url, key);
}

async function longestTick(origin: string, during: Promise<unknown>): Promise<number> {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  let isOver = false;
  const end = during.finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const from = performance.now();
    const { body } = await request(`${origin}/api/live`, { dispatcher });
    await body.dump();
    longest = Math.max(longest, performance.now() - from);
    await sleep(TICK_MS);
  }
  await Promise.all([end, dispatcher.close()]);
  return longest;
}
