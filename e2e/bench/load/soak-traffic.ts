import { setTimeout as sleep } from "node:timers/promises";

// Mixed traffic in realistic proportions, with every response checked.

export interface Target {
  origin: string;
  headers: Record<string, string>;
  model: string;
}

type Ask = (target: Target, number: number) => Promise<void>;

interface Kind {
  name: string;
  /** Per thousand requests. */
  share: number;
  ask: Ask;
}

const QUESTIONS = [
  "What are the signs of a stroke?",
  "How is warfarin monitored?",
  "What are the symptoms of asthma?",
  "How is celiac disease diagnosed?",
];
const PAGES = ["/", "/pricing", "/docs", "/docs/errors", "/sign-in"];
const LISTS = ["/v1/kb/documents?limit=10", "/v1/models"];
const MONEY = ["/v1/billing/credits", "/v1/billing/usage", "/v1/billing/checkout-config"];

export const KINDS: readonly Kind[] = [
  { name: "plain", share: 380, ask: (target, number) => complete(target, number, {}) },
  { name: "streamed", share: 200, ask: (target, number) => stream(target, number, {}) },
  { name: "cited", share: 110, ask: (target, number) => complete(target, number, CITED) },
  { name: "cited, streamed", share: 110, ask: (target, number) => stream(target, number, CITED) },
  { name: "search", share: 80, ask: search },
  { name: "lists", share: 45, ask: (target, number) => read(target, pick(LISTS, number)) },
  { name: "billing", share: 45, ask: (target, number) => read(target, pick(MONEY, number)) },
  { name: "pages", share: 25, ask: page },
  { name: "upload, job, delete", share: 5, ask: upload },
];
const CITED = { citations: { enabled: true } };
const ALL_SHARES = KINDS.reduce((sum, { share }) => sum + share, 0);
/** Coprime to all shares, so that kinds are mixed in a deterministic order. */
const STRIDE = 379;

/** The kind of the nth request. */
function kindOf(number: number): Kind {
  let place = (number * STRIDE) % ALL_SHARES;
  for (const kind of KINDS) {
    if (place < kind.share) {
      return kind;
    }
    place -= kind.share;
  }
  throw new Error("the shares do not add up");
}

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

async function send(target: Target, path: string, body?: object, method?: string) {
  const response = await fetch(target.origin + path, {
    method: method ?? (body ? "POST" : "GET"),
    headers: target.headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  }
  return text;
}

function check(isRight: unknown, path: string, text: string): void {
  if (!isRight) {
    throw new Error(`${path}: unexpected response: ${text.slice(0, 300)}`);
  }
}

function bodyOf({ model }: Target, number: number, extra: object): object {
  const messages = [{ role: "user", content: pick(QUESTIONS, number) }];
  return { model, max_tokens: 100, messages, ...extra };
}

async function complete(target: Target, number: number, extra: object): Promise<void> {
  const path = "/v1/chat/completions";
  const text = await send(target, path, bodyOf(target, number, extra));
  const { choices, citations, usage } = JSON.parse(text);
  check(choices[0].message.content.includes("emergency"), path, text);
  check(Number(usage.cost_usd) > 0, path, text);
  check("citations" in extra ? citations.length > 0 : citations === undefined, path, text);
}

async function stream(target: Target, number: number, extra: object): Promise<void> {
  const path = "/v1/chat/completions";
  const text = await send(target, path, bodyOf(target, number, { ...extra, stream: true }));
  const events = text.split("\n\n").filter((event) => event.startsWith("data: "));
  check(events.at(-1) === "data: [DONE]", path, text.slice(-300));
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice("data: ".length)));
  const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  check(content.endsWith("are signs. "), path, content);
  check("citations" in extra ? chunks[0].citations.length > 0 : true, path, text);
}

async function search(target: Target, number: number): Promise<void> {
  const text = await send(target, "/v1/kb/search", { query: pick(QUESTIONS, number) });
  check(JSON.parse(text).data.length > 0, "/v1/kb/search", text);
}

async function read(target: Target, path: string): Promise<void> {
  const text = await send(target, path);
  check(typeof JSON.parse(text).object === "string", path, text);
}

async function page(target: Target, number: number): Promise<void> {
  const path = pick(PAGES, number);
  const text = await send(target, path);
  check(text.endsWith("</html>"), path, text.slice(-300));
}

async function upload(target: Target, number: number): Promise<void> {
  const text = `# Ward ${number}\n\n${"Patients of this ward take their tablets at noon. ".repeat(60)}`;
  const uploaded = await send(target, "/v1/kb/documents", { scope: "customer_kb", text });
  const { id, job_id } = JSON.parse(uploaded);
  for (;;) {
    const job = await send(target, `/v1/kb/jobs/${job_id}?wait=30`);
    const { status } = JSON.parse(job);
    if (status === "completed") {
      break;
    }
    check(status === "queued" || status === "processing", "the job", job);
  }
  await send(target, `/v1/kb/documents/${id}`, undefined, "DELETE");
}

/** Counts, durations and failures by kind. */
export interface Tally {
  ms: Map<string, number[]>;
  failures: string[];
  /** Requests skipped because too many were open. */
  skipped: number;
}

/** Sends at this rate, or as fast as `most` clients can when it is null. */
export async function drive(
  target: Target,
  { perSecond, seconds, most }: { perSecond: number | null; seconds: number; most: number },
): Promise<Tally> {
  const tally: Tally = { ms: new Map(), failures: [], skipped: 0 };
  const until = performance.now() + seconds * 1000;
  let number = 0;
  const one = async () => {
    number += 1;
    const { name, ask } = kindOf(number);
    const startedAt = performance.now();
    try {
      await ask(target, number);
      const list = tally.ms.get(name) ?? [];
      list.push(performance.now() - startedAt);
      tally.ms.set(name, list);
    } catch (thrown) {
      tally.failures.push(`${name}: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  };
  if (perSecond === null) {
    const client = async () => {
      while (performance.now() < until) {
        await one();
      }
    };
    await Promise.all(Array.from({ length: most }, client));
    return tally;
  }
  const open = new Set<Promise<void>>();
  for (let due = performance.now(); due < until; due += 1000 / perSecond) {
    await sleep(Math.max(0, due - performance.now()));
    if (open.size >= most) {
      tally.skipped += 1;
      continue;
    }
    const run = one().finally(() => open.delete(run));
    open.add(run);
  }
  await Promise.all(open);
  return tally;
}

export function countDone({ ms }: Tally): number {
  return [...ms.values()].reduce((sum, list) => sum + list.length, 0);
}
